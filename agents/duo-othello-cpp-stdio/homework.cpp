// A sample agent for Duo-Othello (Spring 2024) that stays alive for the whole game, in C++17: alpha-beta search.
//
// It remembers the best reply that it has found in each position of this game, which a program that is started anew for
// each move cannot, and tries it first. Squares are numbered 0 to 143, row by row from the top left: a1 is 0, l12 is 143.
// Licence: MIT or Apache-2.0, at your option.
#include <algorithm>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "referee_agent.hpp"

const int SIZE = 12;
const int SQUARES = SIZE * SIZE;
const int DEPTH = 3;
const double HURRY_BELOW_SECONDS = 5;

char other(char side) { return side == 'X' ? 'O' : 'X'; }

// The disks that `side` flips by moving to `square`.
std::vector<int> flips(const std::string& board, int square, char side) {
    std::vector<int> flipped;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++) {
            if (down == 0 && right == 0) continue;
            std::vector<int> line;
            int row = square / SIZE + down, column = square % SIZE + right;
            for (; row >= 0 && row < SIZE && column >= 0 && column < SIZE; row += down, column += right) {
                int at = row * SIZE + column;
                if (board[at] == side) flipped.insert(flipped.end(), line.begin(), line.end());
                if (board[at] != other(side)) break;
                line.push_back(at);
            }
        }
    return flipped;
}

struct Move {
    int square;
    std::string after;
};

std::vector<Move> moves(const std::string& board, char side) {
    std::vector<Move> found;
    for (int square = 0; square < SQUARES; square++) {
        if (board[square] != '.') continue;
        std::vector<int> flipped = flips(board, square, side);
        if (flipped.empty()) continue;
        Move move{square, board};
        move.after[square] = side;
        for (int at : flipped) move.after[at] = side;
        found.push_back(move);
    }
    return found;
}

// Corners for keeps, and room to move.
int evaluate(const std::string& board, char side) {
    int value = 0;
    for (int corner : {0, SIZE - 1, SQUARES - SIZE, SQUARES - 1})
        value += board[corner] == side ? 10 : board[corner] == other(side) ? -10 : 0;
    return value + int(moves(board, side).size()) - int(moves(board, other(side)).size());
}

struct Agent {
    std::unordered_map<std::string, int> best;  // by the side to move and the board

    int search(const std::string& board, char side, int depth, int alpha, int beta) {
        std::vector<Move> all = moves(board, side);
        if (depth == 0 || all.empty()) return evaluate(board, side);
        std::string key = side + board;
        auto known = best.find(key);
        if (known != best.end())
            std::stable_partition(all.begin(), all.end(), [&](const Move& move) { return move.square == known->second; });
        for (const Move& move : all) {
            int value = -search(move.after, other(side), depth - 1, -beta, -alpha);
            if (value > alpha) {
                alpha = value;
                best[key] = move.square;
            }
            if (alpha >= beta) break;
        }
        return alpha;
    }

    std::string answer(const std::string& question) {
        std::istringstream lines(question);
        char side;
        double left, of_opponent;
        std::string board, row;
        lines >> side >> left >> of_opponent;
        while (lines >> row) board += row;
        best.erase(side + board);
        search(board, side, left < HURRY_BELOW_SECONDS ? 1 : DEPTH, -1000000, 1000000);
        int square = best.at(side + board);
        return std::string(1, char('a' + square % SIZE)) + std::to_string(square / SIZE + 1);
    }
};

int main() { return referee_agent::run<Agent>(); }
