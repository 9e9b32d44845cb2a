// A submission that wins: Duo-Othello (Spring 2024) in C++17. Alpha-beta search over what the squares are worth and how many
// moves each side has; towards the end it counts disks.
//
// It looks at a fixed number of plies, so it plays the same moves on every machine.
//
// Squares are numbered on a board of 14 by 14: 12 by 12 and a rim around it. Licence: MIT or Apache-2.0, at your option.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int kSize = 12;
constexpr int kWidth = kSize + 2;
constexpr char kEmpty = '.';
constexpr int kWon = 1'000'000;
constexpr int kDepth = 4;
constexpr int kDepthAtTheEnd = 8;
constexpr int kEnd = 8;  // empty squares
constexpr int kWorthOfAMove = 6;
constexpr std::array<int, 8> kDirections{-kWidth - 1, -kWidth, -kWidth + 1, -1, 1, kWidth - 1, kWidth, kWidth + 1};

using Board = std::array<char, kWidth * kWidth>;

char other(char side) { return side == 'X' ? 'O' : 'X'; }
int row_of(int square) { return square / kWidth - 1; }
int column_of(int square) { return square % kWidth - 1; }
bool is_square(int square) { return row_of(square) >= 0 && row_of(square) < kSize && column_of(square) >= 0 && column_of(square) < kSize; }

// A corner can never be flipped, and the squares beside it give it away.
int worth_of(int square) {
    const int down = std::min(row_of(square), kSize - 1 - row_of(square));
    const int right = std::min(column_of(square), kSize - 1 - column_of(square));
    if (down == 0 && right == 0) return 120;
    if (down <= 1 && right <= 1) return -30;
    const int edge = std::min(down, right);
    return edge == 0 ? 10 : edge == 1 ? -5 : 1;
}

// How many disks a disk of `side` on `square` would flip; flips them where `board` is to be changed.
int flip(const Board& board, Board* changed, int square, char side) {
    if (board[square] != kEmpty) return 0;
    int flipped = 0;
    for (const int direction : kDirections) {
        int at = square + direction;
        while (board[at] == other(side)) at += direction;
        if (board[at] != side) continue;
        for (at -= direction; at != square; at -= direction) {
            ++flipped;
            if (changed != nullptr) (*changed)[at] = side;
        }
    }
    if (changed != nullptr && flipped > 0) (*changed)[square] = side;
    return flipped;
}

// The squares, those that are worth most first: what cuts off more is looked at earlier.
const std::vector<int>& squares() {
    static const std::vector<int> all = [] {
        std::vector<int> found;
        for (int square = 0; square < kWidth * kWidth; ++square) {
            if (is_square(square)) found.push_back(square);
        }
        std::stable_sort(found.begin(), found.end(), [](int a, int b) { return worth_of(a) > worth_of(b); });
        return found;
    }();
    return all;
}

std::vector<int> legal_moves(const Board& board, char side) {
    std::vector<int> moves;
    for (const int square : squares()) {
        if (flip(board, nullptr, square, side) > 0) moves.push_back(square);
    }
    return moves;
}

Board play(const Board& board, int square, char side) {
    Board next = board;
    flip(board, &next, square, side);
    return next;
}

// The score at the end; `X`, which moves second, has one point more.
int score(const Board& board, char side) {
    int margin = side == 'X' ? 1 : -1;
    for (const int square : squares()) margin += board[square] == side ? 1 : board[square] == other(side) ? -1 : 0;
    return margin;
}

int evaluate(const Board& board, char side, int own_moves) {
    int total = kWorthOfAMove * (own_moves - static_cast<int>(legal_moves(board, other(side)).size()));
    for (const int square : squares()) {
        if (board[square] == side) total += worth_of(square);
        if (board[square] == other(side)) total -= worth_of(square);
    }
    return total;
}

// The worth of the board for `side`, whose turn it is (alpha-beta in its negamax form).
int search(const Board& board, char side, int depth, int alpha, int beta, bool passed) {
    const std::vector<int> moves = legal_moves(board, side);
    if (moves.empty()) {
        if (!passed) return -search(board, other(side), depth, -beta, -alpha, true);
        const int margin = score(board, side);
        return margin + (margin > 0 ? kWon : -kWon);
    }
    if (depth == 0) return evaluate(board, side, static_cast<int>(moves.size()));
    int best = -2 * kWon;
    for (const int move : moves) {
        const Board next = play(board, move, side);
        best = std::max(best, -search(next, other(side), depth - 1, -beta, -std::max(alpha, best), false));
        if (best >= beta) break;
    }
    return best;
}

}  // namespace

int main() {
    std::ifstream input("input.txt");
    std::string side;
    std::string own_time;
    std::string enemy_time;
    input >> side >> own_time >> enemy_time;
    Board board;
    board.fill('#');
    int empty = 0;
    for (int square = 0; square < kWidth * kWidth; ++square) {
        if (!is_square(square)) continue;
        input >> board[square];
        empty += board[square] == kEmpty;
    }
    const int depth = empty <= kEnd ? kDepthAtTheEnd : kDepth;
    int best = 0;
    int best_worth = -3 * kWon;
    for (const int move : legal_moves(board, side[0])) {
        const int worth = -search(play(board, move, side[0]), other(side[0]), depth - 1, -3 * kWon, -best_worth, false);
        if (worth > best_worth) {
            best = move;
            best_worth = worth;
        }
    }
    std::ofstream("output.txt") << static_cast<char>('a' + column_of(best)) << row_of(best) + 1 << '\n';
}
