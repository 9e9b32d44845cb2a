// Tic-tac-toe: an example of a rules program for `referee`. Change it to your game; `docs/custom-games.md` explains it.

#include <cctype>
#include <sstream>

#include "referee_rules.hpp"

using namespace referee;
using std::string;
using std::vector;

// A state is nine signs, row by row from the top, and the side to move: ".........X".
class TicTacToe : public Game {
    static int index(const string& square) { return ('3' - square[1]) * 3 + (square[0] - 'a'); }
    static string side(const string& state) { return state.substr(9); }

public:
    Look look() override {
        Look look;
        look.name = "tic-tac-toe";
        look.title = "Tic-tac-toe";
        look.sides = {"X", "O"};
        look.columns = {"a", "b", "c"};
        look.rows = {"3", "2", "1"};
        look.time_line = 2;
        look.input_lines = 5;
        look.play_time = 10;
        look.typical_moves = 5;
        look.goals = {{"three-in-a-row", "it has three in a row"}};
        look.rules = {
            {"not-a-square", "squares", "a move is the name of a square, `a1` to `c3`"},
            {"taken", "empty squares", "a side puts its sign on an empty square"},
        };
        return look;
    }
    string start(const string& side) override { return "........." + side; }
    vector<string> moves(const string& state) override {
        vector<string> empty;
        for (char row : {'3', '2', '1'})
            for (char column : {'a', 'b', 'c'})
                if (state[index({column, row})] == '.') empty.push_back({column, row});
        return empty;
    }
    string play(const string& state, const string& move) override {
        string next = state;
        next[index(move)] = state[9];
        next[9] = state[9] == 'X' ? 'O' : 'X';
        return next;
    }
    Status status(const string& state) override {
        const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
        for (auto& line : lines) {
            char sign = state[line[0]];
            if (sign != '.' && sign == state[line[1]] && sign == state[line[2]])
                return won(string(1, sign), "three-in-a-row", side(state));
        }
        return state.find('.') == string::npos ? drawn(side(state)) : to_move(side(state));
    }
    vector<string> board(const string& state) override {
        return {state.substr(0, 3), state.substr(3, 3), state.substr(6, 3)};
    }
    string to_input(const string& state, const Clocks& clocks) override {
        string text = side(state) + "\n" + clocks.own + "\n";
        for (const string& row : board(state)) text += row + "\n";
        return text;
    }
    string from_output(const string& text) override {
        size_t from = text.find_first_not_of(" \t\r\n"), to = text.find_last_not_of(" \t\r\n");
        string square = from == string::npos ? "" : text.substr(from, to - from + 1);
        for (char& sign : square) sign = static_cast<char>(std::tolower(static_cast<unsigned char>(sign)));
        if (square.size() != 2 || square[0] < 'a' || square[0] > 'c' || square[1] < '1' || square[1] > '3')
            throw Refuse("not-a-square", "this is not a square", "squares are `a1` to `c3`", 1, 1);
        return square;
    }

    // Everything below has a default.

    void check(const string& state, const string& move) override {
        if (state[index(move)] == '.') return;
        string hint = "these are empty:";
        for (const string& square : moves(state)) hint += " " + square;
        throw Refuse("taken", "`" + move + "` is taken", hint);
    }
    Input from_input(const string& text) override {
        // A side, the seconds left, three rows of three.
        std::istringstream words(text);
        vector<string> lines;
        for (string word; words >> word;) lines.push_back(word);
        bool good = lines.size() == 5 && (lines[0] == "X" || lines[0] == "O");
        for (size_t row = 2; good && row < 5; ++row)
            good = lines[row].size() == 3 && lines[row].find_first_not_of("XO.") == string::npos;
        if (!good) throw Unreadable(1, "expected `X` or `O`, the seconds left and three rows");
        return lines[2] + lines[3] + lines[4] + lines[0];
    }
};

int main() { return run<TicTacToe>(); }
