// A submission that wins: Halma (Fall 2019, with the addendum) in C++17. It looks at each own play and the best own play after
// it, and at nothing that the opponent does: for a race that is enough.
//
// It looks at no clock, so it plays the same moves on every machine. playdata.txt keeps the placements that it has had, so that
// it never goes back to one.
//
// A square is 16 * y + x; (0, 0) is at the top left. Licence: MIT or Apache-2.0, at your option.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr int kSize = 16;
constexpr char kEmpty = '.';

using Squares = std::array<bool, kSize * kSize>;
using Play = std::vector<int>;  // the squares that a piece visits

int x_of(int square) { return square % kSize; }
int y_of(int square) { return square / kSize; }

// Black's camp is at the top left; white's is its reflection.
bool in_black_camp(int square) {
    constexpr std::array<int, 5> widths{5, 5, 4, 3, 2};
    return y_of(square) < 5 && x_of(square) < widths[static_cast<std::size_t>(y_of(square))];
}

struct Game {
    char letter = 'B';
    std::string board;  // 256 letters

    // Seen from the side to move: its own camp, and the one that it runs for.
    bool at_home(int square) const { return in_black_camp(letter == 'B' ? square : kSize * kSize - 1 - square); }
    bool in_goal(int square) const { return in_black_camp(letter == 'B' ? kSize * kSize - 1 - square : square); }
    // How far a square lies on the way from the own corner to the other.
    int depth(int square) const { return (letter == 'B' ? 1 : -1) * (x_of(square) + y_of(square)); }
};

// Calls visit(over, to) for the squares next to `square` and behind those, in all eight directions; -1 for none.
template <typename Visit>
void for_each_direction(int square, Visit visit) {
    const auto at = [](int x, int y) { return x >= 0 && y >= 0 && x < kSize && y < kSize ? kSize * y + x : -1; };
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            if (dx == 0 && dy == 0) continue;
            const int x = x_of(square);
            const int y = y_of(square);
            visit(at(x + dx, y + dy), at(x + 2 * dx, y + 2 * dy));
        }
    }
}

// A piece may not leave the opposing camp again, nor enter its own one. Only where a play ends counts.
bool may_end(const Game& game, int start, int end) {
    return !(game.in_goal(start) && !game.in_goal(end)) && !(!game.at_home(start) && game.at_home(end));
}

// The steps of the piece on `start`, and one shortest chain of jumps to each square that it can jump to.
void add_plays(Game& game, int start, std::vector<Play>& plays) {
    const auto add = [&](const Play& play) {
        if (may_end(game, start, play.back())) plays.push_back(play);
    };
    for_each_direction(start, [&](int next, int) {
        if (next >= 0 && game.board[next] == kEmpty) add({start, next});
    });
    game.board[start] = kEmpty;  // it has left its square, and cannot be jumped over there
    std::vector<Play> chains{{start}};
    Squares reached{};
    reached[start] = true;
    for (std::size_t index = 0; index < chains.size(); ++index) {
        for_each_direction(chains[index].back(), [&](int over, int to) {
            if (to < 0 || game.board[over] == kEmpty || game.board[to] != kEmpty || reached[to]) return;
            reached[to] = true;
            Play further = chains[index];
            further.push_back(to);
            chains.push_back(further);
        });
        if (index > 0) add(chains[index]);
    }
    game.board[start] = game.letter;
}

// Further from the own corner in one direction at least, and nearer in neither.
bool is_further(const Game& game, int start, int end) {
    const int away = game.letter == 'B' ? 1 : -1;
    return away * (x_of(end) - x_of(start)) >= 0 && away * (y_of(end) - y_of(start)) >= 0;
}

// The plays that are legal under the addendum: first out of the camp, else away from its corner, else free.
std::vector<Play> legal_plays(Game& game) {
    std::vector<Play> leaving;
    std::vector<Play> retreating;
    std::vector<Play> outside;
    for (int start = 0; start < kSize * kSize; ++start) {
        if (game.board[start] != game.letter) continue;
        std::vector<Play> plays;
        add_plays(game, start, plays);
        for (const Play& play : plays) {
            if (!game.at_home(start)) {
                outside.push_back(play);
            } else if (!game.at_home(play.back())) {
                leaving.push_back(play);
            } else if (is_further(game, start, play.back())) {
                retreating.push_back(play);
            }
        }
    }
    return !leaving.empty() ? leaving : !retreating.empty() ? retreating : outside;
}

Game after(const Game& game, const Play& play) {
    Game next = game;
    next.board[play.front()] = kEmpty;
    next.board[play.back()] = game.letter;
    return next;
}

// Where the pieces are heading: the square of the opposing camp, deepest first, that is not ours yet; -1 where all are.
int target_of(const Game& game) {
    int target = -1;
    for (int square = 0; square < kSize * kSize; ++square) {
        const bool is_open = game.in_goal(square) && game.board[square] != game.letter;
        if (is_open && (target < 0 || game.depth(square) > game.depth(target))) target = square;
    }
    return target;
}

// The way that all own pieces have still to go; those far behind count more, because nobody waits for them.
int way_to_go(const Game& game) {
    const int target = target_of(game);
    if (target < 0) return -100'000;
    int way = 0;
    for (int square = 0; square < kSize * kSize; ++square) {
        if (game.board[square] != game.letter) continue;
        if (game.in_goal(square)) {
            way -= game.depth(square);  // deeper is a little better, so that others can follow
            continue;
        }
        const int dx = std::abs(x_of(square) - x_of(target));
        const int dy = std::abs(y_of(square) - y_of(target));
        const int far = std::max(dx, dy);
        way += 100 + 100 * far + 10 * (dx + dy) + far * far;
    }
    return way;
}

// The least way that is left after the best play.
int best_way(Game& game) {
    int best = way_to_go(game);
    for (const Play& play : legal_plays(game)) best = std::min(best, way_to_go(after(game, play)));
    return best;
}

std::set<std::string> read_playdata() {
    std::ifstream file("playdata.txt");
    std::set<std::string> seen;
    for (std::string placement; file >> placement;) seen.insert(placement);
    return seen;
}

std::string placement(const Game& game) {
    std::string own;
    for (const char piece : game.board) own += piece == game.letter ? '1' : '0';
    return own;
}

Play choose(Game& game) {
    const std::vector<Play> plays = legal_plays(game);
    const std::set<std::string> seen = read_playdata();
    Play best = plays.front();
    int best_worth = 1'000'000;
    for (const Play& play : plays) {
        Game next = after(game, play);
        if (seen.count(placement(next)) != 0) continue;
        const int now = way_to_go(next);
        // A goal that is full needs no second play; else the second counts most, and of equals the first.
        const int worth = now < -50'000 ? -1'000'000 : 4 * best_way(next) + now;
        if (worth < best_worth) {
            best = play;
            best_worth = worth;
        }
    }
    return best;
}

void write_output(const Play& play) {
    std::ofstream file("output.txt");
    const int across = std::max(std::abs(x_of(play[0]) - x_of(play[1])), std::abs(y_of(play[0]) - y_of(play[1])));
    for (std::size_t hop = 1; hop < play.size(); ++hop) {
        file << (across == 1 ? 'E' : 'J') << ' ' << x_of(play[hop - 1]) << ',' << y_of(play[hop - 1]) << ' '
             << x_of(play[hop]) << ',' << y_of(play[hop]) << '\n';
    }
}

}  // namespace

int main() {
    std::ifstream input("input.txt");
    std::string purpose;
    std::string colour;
    std::string seconds_left;
    input >> purpose >> colour >> seconds_left;
    Game game;
    game.letter = colour[0];
    for (std::string row; input >> row;) game.board += row;
    const Play play = choose(game);
    write_output(play);
    std::ofstream("playdata.txt", std::ios::app) << placement(after(game, play)) << '\n';
}
