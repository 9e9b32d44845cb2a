// Tests of the rules, in this folder: `g++ -std=c++17 test_rules.cpp -o test_rules && ./test_rules`.

// The rules have a `main` of their own.
#define main rules_main
#include "rules/MODULE.cpp"
#undef main

static int failures = 0;
#define EXPECT(fact) \
    if (!(fact)) ++failures, std::cerr << __FILE__ << ":" << __LINE__ << ": not so: " #fact "\n"

// The state after these moves from the start.
static string after(const vector<string>& moves) {
    TicTacToe game;
    string state = game.start("X");
    for (const string& move : moves) state = game.play(state, move);
    return state;
}

int main() {
    TicTacToe game;
    // Nine squares are empty at the start.
    EXPECT(game.moves(game.start("X")).size() == 9);
    // Three in a row win.
    Status won = game.status(after({"a1", "a3", "b1", "b3", "c1"}));
    EXPECT(won.kind == "won" && won.winner == "X");
    // A full board is a draw.
    EXPECT(game.status(after({"b2", "a1", "a3", "c1", "b1", "b3", "a2", "c2", "c3"})).kind == "drawn");
    std::cout << (failures ? "failed\n" : "ok\n");
    return failures ? 1 : 0;
}
