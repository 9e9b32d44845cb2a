// A submission that wins: checkers (Spring 2021) in C++17. Alpha-beta search that looks at every capture to its end, deepened
// until it has visited so many positions; and playdata.txt, so that no position comes a second time.
//
// It counts positions, not seconds: so it plays the same moves on every machine.
//
// Squares are numbered 0 to 63, row by row from the top left: a8 is 0, h1 is 63. A move is the list of the squares that a
// piece visits. Licence: MIT or Apache-2.0, at your option.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

using Board = std::array<char, 64>;
using Move = std::vector<int>;

constexpr char kEmpty = '.';
constexpr int kWon = 1'000'000;

// The search is deepened until it has visited so many positions: some 20 ms a move.
constexpr int kEnoughPositions = 30'000;
constexpr int kDeepest = 24;

// A position that has been before is worth a little less than what it seems to be worth.
constexpr int kSeenBefore = 40;

struct Task {
    char side;  // 'b' or 'w'
    Board board;
};

char other(char side) { return side == 'b' ? 'w' : 'b'; }
char side_of(char piece) { return static_cast<char>(std::tolower(static_cast<unsigned char>(piece))); }
bool is_king(char piece) { return piece == 'B' || piece == 'W'; }
bool is_jump(int from, int to) { return std::abs(from - to) > 9; }
bool is_crowned_at(char piece, int square) { return square / 8 == (piece == 'b' ? 7 : 0) && !is_king(piece); }

// Calls visit(to) for each square on the board that lies `distance` diagonal steps ahead of `piece` on `square`.
template <typename Visit>
void for_each_ahead(char piece, int square, int distance, Visit visit) {
    for (int down : {1, -1}) {
        if (!is_king(piece) && down != (piece == 'b' ? 1 : -1)) continue;
        for (int right : {-1, 1}) {
            const int row = square / 8 + down * distance;
            const int column = square % 8 + right * distance;
            if (0 <= row && row < 8 && 0 <= column && column < 8) visit(8 * row + column);
        }
    }
}

// Extends `move` by every sequence of jumps that cannot be continued. The moving piece is not on the board meanwhile.
void complete_jumps(Board& board, char piece, Move& move, std::vector<Move>& moves) {
    const int square = move.back();
    bool goes_on = false;
    if (move.size() == 1 || !is_crowned_at(piece, square)) {
        for_each_ahead(piece, square, 2, [&](int to) {
            const int over = (square + to) / 2;
            if (board[over] == kEmpty || side_of(board[over]) == side_of(piece) || board[to] != kEmpty) return;
            goes_on = true;
            const char captured = board[over];
            board[over] = kEmpty;
            move.push_back(to);
            complete_jumps(board, piece, move, moves);
            move.pop_back();
            board[over] = captured;
        });
    }
    if (!goes_on && move.size() > 1) moves.push_back(move);
}

// Every legal move of `side`. Jumping is compulsory: where there is a jump, steps are not legal.
std::vector<Move> legal_moves(Board board, char side) {
    std::vector<Move> jumps;
    std::vector<Move> steps;
    for (int square = 0; square < 64; ++square) {
        const char piece = board[square];
        if (piece == kEmpty || side_of(piece) != side) continue;
        board[square] = kEmpty;
        Move move{square};
        complete_jumps(board, piece, move, jumps);
        board[square] = piece;
        for_each_ahead(piece, square, 1, [&](int to) {
            if (board[to] == kEmpty) steps.push_back({square, to});
        });
    }
    return jumps.empty() ? steps : jumps;
}

// The board after `move`.
Board play(Board board, const Move& move) {
    const char piece = board[move.front()];
    board[move.front()] = kEmpty;
    for (std::size_t hop = 1; hop < move.size(); ++hop) {
        if (is_jump(move[hop - 1], move[hop])) board[(move[hop - 1] + move[hop]) / 2] = kEmpty;
    }
    const bool crowned = is_crowned_at(piece, move.back());
    board[move.back()] = crowned ? static_cast<char>(std::toupper(static_cast<unsigned char>(piece))) : piece;
    return board;
}

int distance(int a, int b) { return std::max(std::abs(a / 8 - b / 8), std::abs(a % 8 - b % 8)); }

// How good the board is for `side`: pieces, how far its men have come, and for whoever is ahead fewer pieces on the board
// and kings that are near the enemy, so that a game that is won comes to its end.
int evaluate(const Board& board, char side) {
    int total = 0;
    int pieces = 0;
    for (int square = 0; square < 64; ++square) {
        const char piece = board[square];
        if (piece == kEmpty) continue;
        ++pieces;
        const int advance = piece == 'b' ? square / 8 : 7 - square / 8;
        const int value = is_king(piece) ? 300 : 200 + 3 * advance;
        total += side_of(piece) == side ? value : -value;
    }
    const char ahead = total > 60 ? side : total < -60 ? other(side) : kEmpty;
    if (ahead == kEmpty) return total;
    int pressure = 5 * (24 - pieces);
    for (int own = 0; own < 64; ++own) {
        if (!is_king(board[own]) || side_of(board[own]) != ahead) continue;
        for (int enemy = 0; enemy < 64; ++enemy) {
            if (board[enemy] != kEmpty && side_of(board[enemy]) != ahead) pressure -= distance(own, enemy);
        }
    }
    return total + (ahead == side ? pressure : -pressure);
}

int positions = 0;

// The worth of the board for `side`, whose turn it is, `depth` plies deep (alpha-beta in its negamax form). Captures are
// followed to their end.
int search(const Board& board, char side, int depth, int alpha, int beta) {
    ++positions;
    const std::vector<Move> moves = legal_moves(board, side);
    if (moves.empty()) return -kWon - depth;  // nothing to move: lost, and the sooner the worse
    if (depth <= 0 && !is_jump(moves[0][0], moves[0][1])) return evaluate(board, side);
    int best = -2 * kWon;
    for (const Move& move : moves) {
        best = std::max(best, -search(play(board, move), other(side), depth - 1, -beta, -std::max(alpha, best)));
        if (best >= beta) break;
    }
    return best;
}

// The boards after our own moves of this game.
std::set<std::string> read_playdata() {
    std::ifstream file("playdata.txt");
    std::set<std::string> seen;
    for (std::string board; file >> board;) seen.insert(board);
    return seen;
}

std::string text_of(const Board& board) { return std::string(board.begin(), board.end()); }

Move best_move(const Board& board, char side) {
    std::vector<Move> moves = legal_moves(board, side);
    const std::set<std::string> seen = read_playdata();
    for (int depth = 2; depth <= kDeepest && moves.size() > 1 && positions < kEnoughPositions; ++depth) {
        std::size_t best = 0;
        int best_worth = -3 * kWon;
        for (std::size_t index = 0; index < moves.size(); ++index) {
            const Board next = play(board, moves[index]);
            const int malus = seen.count(text_of(next)) ? kSeenBefore : 0;
            const int worth = -search(next, other(side), depth - 1, -3 * kWon, -best_worth - malus) - malus;
            if (worth > best_worth) {
                best = index;
                best_worth = worth;
            }
        }
        // The best so far is looked at first on the next round, which cuts off more.
        const auto found = moves.begin() + static_cast<std::ptrdiff_t>(best);
        std::rotate(moves.begin(), found, found + 1);
        if (std::abs(best_worth) >= kWon / 2) break;
    }
    return moves.front();
}

Task read_input() {
    std::ifstream file("input.txt");
    std::string purpose;
    std::string colour;
    std::string seconds_left;
    Task task{};
    file >> purpose >> colour >> seconds_left;
    task.side = colour == "BLACK" ? 'b' : 'w';
    for (char& square : task.board) file >> square;
    return task;
}

std::string name(int square) {
    return {static_cast<char>('a' + square % 8), static_cast<char>('8' - square / 8)};
}

// One line for a step, one line for each jump.
void write_output(const Move& move) {
    std::ofstream file("output.txt");
    for (std::size_t hop = 1; hop < move.size(); ++hop) {
        const char letter = is_jump(move[hop - 1], move[hop]) ? 'J' : 'E';
        file << letter << ' ' << name(move[hop - 1]) << ' ' << name(move[hop]) << '\n';
    }
}

}  // namespace

int main() {
    const Task task = read_input();
    const Move move = best_move(task.board, task.side);
    write_output(move);
    std::ofstream("playdata.txt", std::ios::app) << text_of(play(task.board, move)) << '\n';
}
