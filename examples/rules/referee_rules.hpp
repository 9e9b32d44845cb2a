// The rules of a game for `referee`, as a program of its own: version 1 of the protocol, in one C++17 header.
//
// Derive from `referee::Game`, and end with `int main() { return referee::run<YourGame>(); }`. Names and defaults are those of
// `referee_rules.py`. A state is a string of your own making, of any bytes, such as the board and the side to move; it never
// changes: `play` returns a new one. A side is its word, such as "X". A move is its text, as an agent writes it.
// `docs/custom-games.md` explains every function; `referee new-game NAME --language cpp` writes an example.

#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace referee {

constexpr int PROTOCOL = 1;

// A word of an `output.txt`, or a line without the blanks around it and with its `words`. `line` and `column` count from 1.
struct Word : std::string {
    explicit Word(const std::string& text = "", int line = 1, int column = 1) : std::string(text), line(line), column(column) {}
    int line, column;
    std::vector<Word> words = {};
};

// Why an answer is not a move: throw it in `from_output` (wrong format) or `check` (illegal move). `code` is a stable name for
// programs, in kebab case. If `rules` has an entry of that name, explanations cite it. `line`, `column` and `length` say where
// in `output.txt`, or `at`, a word or a line of `lines`; `hint` says what would have been right. In `check`, a `line` alone counts
// the lines of the move, and means all of that line.
struct Refuse : std::runtime_error {
    Refuse(std::string code, const std::string& message, std::string hint = "", int line = 0, int column = 0, int length = 0)
        : std::runtime_error(message), code(std::move(code)), hint(std::move(hint)), line(line), column(column), length(length) {}
    Refuse(std::string code, const std::string& message, std::string hint, const Word& at)
        : Refuse(std::move(code), message, std::move(hint), at.line, at.column, static_cast<int>(at.size())) {}
    std::string code, hint;
    int line, column, length, more = 0;
};

// Why an `input.txt` cannot be read: throw it in `from_input`. `line` and `column` count from 1; column 0: none.
struct Unreadable : std::runtime_error {
    Unreadable(int line, const std::string& message, int column = 0)
        : std::runtime_error(message), line(line), column(column) {}
    int line, column;
};

// What `input.txt` may tell of time: the seconds left, as texts, and whether it is a single move.
struct Clocks {
    std::string own, opponent;
    bool single = false;
};

// What an `input.txt` says: a state, and the clocks if it has them.
struct Input {
    Input(std::string state, std::optional<Clocks> clocks = std::nullopt)
        : state(std::move(state)), clocks(std::move(clocks)) {}
    std::string state;
    std::optional<Clocks> clocks;
};

using Scores = std::map<std::string, double>;

// A status of a position, and the side that is to move, or would be.
struct Status {
    std::string side, kind, winner = "", by = "";
    Scores scores = {};
};

inline Status to_move(const std::string& side) { return {side, "to-move"}; }
inline Status must_pass(const std::string& side) { return {side, "must-pass"}; }

// `by` is a code of `goals`, "no-pieces", "no-moves", or "higher-score" with `scores`.
inline Status won(const std::string& winner, const std::string& by, const std::string& side, const Scores& scores = {}) {
    return {side, "won", winner, by, scores};
}

// `by` is a code of `draw_reasons`, "blocked", "no-moves", or "equal-scores" with `scores`.
inline Status drawn(const std::string& side, const std::string& by = "blocked", const Scores& scores = {}) {
    return {side, "drawn", "", by, scores};
}

// Texts and JSON.
namespace json {

// The characters of a text in UTF-8; what is none of them is U+FFFD.
inline std::u32string characters(const std::string& text) {
    std::u32string found;
    for (std::size_t at = 0; at < text.size();) {
        auto first = static_cast<unsigned char>(text[at++]);
        int more = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        bool valid = first < 0x80 || more > 0;
        char32_t code = first < 0x80 ? first : first & (0x3fu >> more);
        // The second byte is such that each character has one form, and is no surrogate.
        unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        for (; valid && more > 0; --more, least = 0x80, most = 0xbf) {
            unsigned next = at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
            valid = least <= next && next <= most;
            if (valid) code = code << 6 | (next & 0x3fu), ++at;
        }
        found += valid ? code : U'\ufffd';
    }
    return found;
}

inline void escape(std::string& json, unsigned unit) {
    char text[8];
    std::snprintf(text, sizeof text, "\\u%04x", unit);
    json += text;
}

inline void add(std::string& json, char32_t character) {
    if (character == '"' || character == '\\') {
        json += '\\';
        json += static_cast<char>(character);
    } else if (character >= 0x20 && character < 0x7f) {
        json += static_cast<char>(character);
    } else if (character < 0x10000) {
        escape(json, character);
    } else {
        escape(json, 0xd800 + ((character - 0x10000) >> 10));
        escape(json, 0xdc00 + ((character - 0x10000) & 0x3ff));
    }
}

// A text in UTF-8.
inline std::string text(const std::string& text) {
    std::string json = "\"";
    for (char32_t character : characters(text)) add(json, character);
    return json + "\"";
}

// Bytes of any kind: each stands for the character of the same number.
inline std::string bytes(const std::string& bytes) {
    std::string json = "\"";
    for (unsigned char byte : bytes) add(json, byte);
    return json + "\"";
}

inline std::string text_or_null(const std::string& of) { return of.empty() ? "null" : text(of); }
inline std::string boolean(bool value) { return value ? "true" : "false"; }
inline std::string number_or_null(double number) { return number != 0 ? std::to_string(number) : "null"; }
inline std::string number_or_null(int number) { return number != 0 ? std::to_string(number) : "null"; }

// What each of `items` is, joined, in brackets.
template <class Items, class Write>
std::string list(const Items& items, Write write) {
    std::string json = "[";
    for (const auto& item : items) json += (json.size() > 1 ? "," : "") + write(item);
    return json + "]";
}
inline std::string list(const std::vector<std::string>& texts) { return list(texts, text); }

// Keys with their values in JSON.
inline std::string object(const std::vector<std::pair<std::string, std::string>>& fields) {
    std::string json = "{";
    for (const auto& [key, value] : fields) json += (json.size() > 1 ? ",\"" : "\"") + key + "\":" + value;
    return json + "}";
}

}  // namespace json

// What an agent wrote, for a message: in backticks, and at most 40 characters of it.
inline std::string quoted(const std::string& text) {
    std::string shown = "`";
    std::size_t count = 0;
    for (char32_t character : json::characters(text)) {
        if (count++ == 40) {
            shown += "\u2026";
            break;
        }
        if (character == '`') {
            shown += "\\u{60}";
        } else if (character == '\\') {
            shown += "\\\\";
        } else if (character < 0x80) {
            shown += static_cast<char>(character);
        } else {
            int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
            shown += static_cast<char>((0xf00u >> more & 0xf0u) | character >> 6 * more);
            while (more-- > 0) shown += static_cast<char>(0x80u | (character >> 6 * more & 0x3fu));
        }
    }
    return shown + "`";
}

// A question: an object of texts, numbers, truth values and lists of texts. Nothing else is asked.
class Question {
public:
    explicit Question(const std::string& line) : text_(line) { object(); }
    const std::string& text(const std::string& key) const { return texts_.at(key); }
    const std::vector<std::string>& texts(const std::string& key) const { return lists_.at(key); }
    bool flag(const std::string& key) const { return texts_.at(key) == "true"; }

private:
    void object() {
        expect('{');
        while (peek() != '}') {
            std::string key = string();
            expect(':');
            if (peek() == '[') {
                expect('[');
                while (peek() != ']') {
                    lists_[key].push_back(string());
                    if (peek() == ',') ++at_;
                }
                expect(']');
            } else {
                texts_[key] = peek() == '"' ? string() : word();
            }
            if (peek() == ',') ++at_;
        }
    }
    char peek() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
        if (at_ == text_.size()) throw std::runtime_error("the question ends too early");
        return text_[at_];
    }
    void expect(char sign) {
        if (peek() != sign) throw std::runtime_error(std::string("expected ") + sign + " in the question");
        ++at_;
    }
    std::string word() {
        std::size_t from = at_;
        while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '}') ++at_;
        return text_.substr(from, at_ - from);
    }
    // The bytes of a text; characters above 255 do not occur in what agents write, and become `?`.
    std::string string() {
        expect('"');
        std::string bytes;
        while (at_ < text_.size() && text_[at_] != '"') {
            auto byte = static_cast<unsigned char>(text_[at_++]);
            if (byte == '\\') {
                bytes += escape();
            } else if (byte >= 0xc0 && at_ < text_.size()) {
                unsigned code = (byte & 0x1fu) << 6 | (static_cast<unsigned char>(text_[at_++]) & 0x3fu);
                bytes += byte < 0xc4 ? static_cast<char>(code) : '?';
            } else if (byte < 0x80) {
                bytes += static_cast<char>(byte);
            }
        }
        expect('"');
        return bytes;
    }
    char escape() {
        char sign = text_.at(at_++);
        switch (sign) {
            case 'n': return '\n';
            case 't': return '\t';
            case 'r': return '\r';
            case 'b': return '\b';
            case 'f': return '\f';
            case 'u': {
                unsigned long code = std::stoul(text_.substr(at_, 4), nullptr, 16);
                at_ += 4;
                return code < 0x100 ? static_cast<char>(code) : '?';
            }
            default: return sign;
        }
    }
    const std::string& text_;
    std::size_t at_ = 0;
    std::map<std::string, std::string> texts_;
    std::map<std::string, std::vector<std::string>> lists_;
};

// Labels or codes, each with a text, in an order of your own.
using Texts = std::vector<std::pair<std::string, std::string>>;

// A kind of pieces.
struct Piece {
    std::string side;            // whose it is; "": neither side's, such as a wall
    std::string shape = "disk";  // or "king", "star", "stone", "letter"
    std::string word = "";       // what it is called, if a side has several kinds
    char shown = 0;              // the letter that people see, if another
};

// What a refusal of that code breaks, for explanations.
struct Rule {
    std::string code, name, sentence;
};

// What the game is like. Every field but the first five has a default that will often do; 0, "" and {} are none.
struct Look {
    std::string name;                                    // on the command line and in records
    std::string title;                                   // within a sentence
    std::vector<std::string> sides;                      // their words in `input.txt`; the first is `black` in records
    std::vector<std::string> side_names = {};            // their names within a sentence, if other than the words
    std::vector<std::string> colours = {};               // of both sides, other than dark and light: {"red", "yellow"}
    std::string first = "";                              // the side that begins, if not the first of `sides`; or "either"
    std::vector<std::string> columns;                    // labels of the columns, from the left
    std::vector<std::string> rows;                       // labels of the rows, from the top
    std::string square = "column-row";                   // how a square is named by them
    std::string surface = "plain";                       // or "chequered", "felt", "points"
    char empty = '.';                                    // the letter of an empty square
    std::vector<std::pair<char, Piece>> pieces = {};     // letters; none: a disk for each side, its word
    std::string separator = " ";                         // between the squares of a move
    int time_line = 0;                                   // the line of `input.txt` that tells the time left, from 1
    int input_lines = 0;                                 // how many lines `input.txt` has
    double play_time = 100;                              // seconds of CPU time for a whole game
    double move_time = 0;                                // seconds for one move, if the rules limit it
    int idle_turns = 0;                                  // a draw after so many turns in a row without progress
    int repetitions = 0;                                 // a draw when a placement has occurred so often
    int turn_limit = 0;                                  // a draw after so many turns
    std::string progress_words = "progress";             // "50 turns without `a capture`"
    std::vector<std::string> draw_decisions = {"time"};  // what decides a draw, in order; also "pieces", "second-move"
    int typical_moves = 30;                              // of one side in a game
    bool keeps_directory = false;                        // whether all files of an agent live on from move to move
    Texts goals = {};                                    // codes and sentences of what the game is won by
    Texts draw_reasons = {};                             // the same of what else makes it a draw
    std::vector<Rule> rules = {};                        // what refusals break
};

class Game {
public:
    virtual ~Game() = default;

    // What has to be written.
    virtual Look look() = 0;
    virtual std::string start(const std::string& side) = 0;
    virtual std::vector<std::string> moves(const std::string& state) = 0;
    virtual std::string play(const std::string& state, const std::string& move) = 0;
    virtual Status status(const std::string& state) = 0;
    virtual std::vector<std::string> board(const std::string& state) = 0;
    virtual std::string to_input(const std::string& state, const Clocks& clocks) = 0;
    virtual std::string from_output(const std::string& text) = 0;

    // What has a default.
    virtual void check(const std::string& state, const std::string& move) {
        std::string shown;
        std::size_t count = 0;
        std::vector<std::string> legal = moves(state);
        for (const std::string& other : legal) {
            if (other == move) return;
            if (count++ < 8) shown += (shown.empty() ? "" : ", ") + other;
        }
        if (count > 8) shown += ", ...";
        throw Refuse("illegal-move", "`" + move.substr(0, 40) + "` is not a legal move", "legal moves: " + shown);
    }
    virtual std::string pass_turn(const std::string&) {
        throw std::logic_error("`status` asks for a pass, and there is no `pass_turn`");
    }
    virtual bool is_progress(const std::string& /*state*/, const std::string& /*move*/) { return false; }
    // What people see beside the board: labels with texts, such as {{"Captures", "X 4, O 2"}}.
    virtual Texts notes(const std::string&) { return {}; }
    // What tells the placement of pieces from others, where the board does not.
    virtual std::optional<std::string> key(const std::string&) { return std::nullopt; }
    virtual Input from_input(const std::string&) { throw std::logic_error("there is no `from_input`"); }
    // What the position is worth to `side`, not to the side to move: between -1000000 and 1000000, above 0 where `side`
    // stands better. For the other side it is the same with the opposite sign. Either side may be to move. Never asked
    // where the game is over: results count by themselves.
    virtual int evaluate(const std::string& /*state*/, const std::string& /*side*/) {
        throw std::logic_error("there is no `evaluate`");
    }

    // Answers questions until standard input ends; `run` calls it.
    int serve(bool reads_input, bool evaluates) {
        reads_input_ = reads_input;
        evaluates_ = evaluates;
        std::ios::sync_with_stdio(false);
        for (std::string line; std::getline(std::cin, line);) {
            std::string id = "0", reply;
            try {
                Question question(line);
                id = question.text("id");
                reply = "\"answer\":" + answer(question);
            } catch (const std::exception& error) {
                reply = "\"error\":" + json::text(error.what());
            }
            std::cout << "{\"id\":" << id << "," << reply << "}\n" << std::flush;
        }
        return 0;
    }

protected:
    // Says in `from_output` how an answer departs from the format where it is understood all the same: with `--exact` it is
    // refused, otherwise this is a warning, one for each code.
    void overlook(const Refuse& found) {
        if (exact_) throw found;
        for (Refuse& first : overlooked_) {
            if (first.code == found.code) {
                ++first.more;
                return;
            }
        }
        overlooked_.push_back(found);
    }

    // The lines of an answer that are not empty, each with its `words`: the reader of `from_output` for most games. Empty
    // lines, CR at their ends, and blanks other than one between two words are overlooked.
    std::vector<Word> lines(const std::string& text) {
        if (text.rfind("\xef\xbb\xbf", 0) == 0)
            throw Refuse("byte-order-mark", "the file starts with a byte order mark", "write plain ASCII text", 1, 1, 3);
        if (text.rfind("\xff\xfe", 0) == 0 || text.rfind("\xfe\xff", 0) == 0)
            throw Refuse("byte-order-mark", "the file starts with a byte order mark",
                         "this is UTF-16: write plain ASCII text", 1, 1, 2);
        std::vector<Word> found;
        for (std::size_t from = 0, number = 1; from < text.size() || number == 1; ++number) {
            std::size_t end = std::min(text.find('\n', from), text.size());
            read_line(text.substr(from, end - from), static_cast<int>(number), found);
            from = end + 1;
            if (end + 1 == text.size()) break;
        }
        return found;
    }

private:
    static constexpr const char* BLANKS = " \t\v\f";
    static constexpr const char* WHITE = " \t\v\f\r";

    void read_line(std::string line, int number, std::vector<Word>& found) {
        auto size = [](std::size_t length) { return static_cast<int>(length); };
        if (!line.empty() && line.back() == '\r') {
            line.pop_back();
            overlook({"carriage-return", "the line ends in CR LF", "lines must end in LF", number, size(line.size()) + 1, 1});
        }
        std::string kept = line.substr(0, line.find_last_not_of(WHITE) + 1);
        if (std::size_t at = kept.find('\r'); at != std::string::npos)
            throw Refuse("carriage-return-within", "the line contains a CR", "lines end in LF", number, size(at) + 1, 1);
        Word whole("", number);
        std::size_t after = 0;
        for (std::size_t at; (at = kept.find_first_not_of(BLANKS, after)) != std::string::npos;) {
            if (whole.words.empty() && at > 0)
                overlook({"leading-blanks", "blanks before the first word", "", number, 1, size(at)});
            if (!whole.words.empty() && kept.substr(after, at - after) != " ")
                overlook({"stray-blanks", "more than one blank, or a tab, between two words", "one blank between two words",
                          number, size(after) + 1, size(at - after)});
            after = std::min(kept.find_first_of(BLANKS, at), kept.size());
            whole.words.emplace_back(kept.substr(at, after - at), number, size(at) + 1);
        }
        if (whole.words.empty()) {
            overlook({"empty-line", "the line is empty", "", number, 1, size(line.size())});
            return;
        }
        if (kept.size() < line.size())
            overlook({"trailing-blanks", "blanks after the last word", "", number, size(kept.size()) + 1,
                      size(line.size() - kept.size())});
        whole.column = whole.words.front().column;
        whole.assign(kept.substr(whole.column - 1));
        found.push_back(whole);
    }

    // What the answer has for a line of the move: its lines that are not empty are counted.
    static Word whole_line(const std::string& text, int count) {
        Word whole;
        for (std::size_t from = 0, number = 1; from <= text.size() && count > 0; ++number) {
            std::size_t end = std::min(text.find('\n', from), text.size());
            std::string line = text.substr(from, end - from);
            std::size_t start = line.find_first_not_of(WHITE);
            if (start != std::string::npos) {
                whole = Word(line.substr(start, line.find_last_not_of(WHITE) + 1 - start), static_cast<int>(number),
                             static_cast<int>(start) + 1);
                --count;
            }
            from = end + 1;
        }
        return whole;
    }

    const Look& looks() {
        if (!look_) look_ = look();
        return *look_;
    }
    std::string position(const std::string& state) {
        Status now = status(state);
        check_code(now);
        std::vector<std::pair<std::string, std::string>> told = {{"kind", json::text(now.kind)}}, scores;
        if (!now.winner.empty()) told.push_back({"winner", json::text(now.winner)});
        if (!now.by.empty()) told.push_back({"by", json::text(now.by)});
        for (const auto& [side, score] : now.scores) scores.push_back({side, std::to_string(score)});
        if (!scores.empty()) told.push_back({"scores", json::object(scores)});
        std::optional<std::string> other = key(state);
        auto note = [](const auto& note) {
            return json::object({{"label", json::text(note.first)}, {"text", json::text(note.second)}});
        };
        return json::object({{"state", json::bytes(state)},
                             {"to_move", json::text(now.side)},
                             {"status", json::object(told)},
                             {"board", json::list(board(state))},
                             {"key", other ? json::bytes(*other) : "null"},
                             {"notes", json::list(notes(state), note)}});
    }
    // A win or a draw is by a code that the game has.
    void check_code(const Status& now) {
        bool is_won = now.kind == "won";
        std::vector<std::string> known = {is_won ? "no-pieces" : "blocked", "no-moves", is_won ? "higher-score" : "equal-scores"};
        for (const auto& [code, sentence] : is_won ? looks().goals : looks().draw_reasons) known.push_back(code);
        for (const std::string& code : known)
            if (code == now.by) return;
        const char* codes = is_won ? "goals" : "draw_reasons";
        for (const std::string& side : looks().sides)
            if (is_won && side == now.by)
                throw std::logic_error("`status`: `won` by `" + now.by + "`: exchanged? It is `won(winner, by, side)`");
        if (is_won || now.kind == "drawn")
            throw std::logic_error("`status`: `" + now.kind + "` by `" + now.by + "`, which is no code of `" + codes +
                                   "`; add it to `" + codes + "`");
    }
    static std::string finding(const Refuse& found, const char* kind = nullptr) {
        std::vector<std::pair<std::string, std::string>> told = {{"code", json::text(found.code)},
                                                                 {"message", json::text(found.what())}};
        if (kind) told.push_back({"kind", json::text(kind)});
        if (!found.hint.empty()) told.push_back({"hint", json::text(found.hint)});
        for (auto [key, number] : {std::pair{"line", found.line}, {"column", found.column}, {"length", found.length}, {"more", found.more}})
            if (number) told.push_back({key, std::to_string(number)});
        return json::object(told);
    }
    std::string judge(const Question& question) {
        const std::string &state = question.text("state"), &text = question.text("output");
        std::string move;
        exact_ = question.flag("exact");
        overlooked_.clear();
        try {
            move = from_output(text);
            if (text != move && text != move + "\n" && overlooked_.empty())
                overlook({"exact-format", "the answer is not exactly the move", "write `" + move + "`"});
        } catch (const Refuse& refused) {
            return json::object({{"refusal", finding(refused, "format")}});
        }
        try {
            check(state, move);
        } catch (Refuse& refused) {
            if (refused.line && !refused.column) {
                Word whole = whole_line(text, refused.line);
                refused.line = whole.line, refused.column = whole.column;
                refused.length = static_cast<int>(whole.size());
            }
            return json::object({{"refusal", finding(refused, "illegal")}});
        }
        return json::object({{"move", json::text(move)},
                             {"progress", json::boolean(is_progress(state, move))},
                             {"warnings", json::list(overlooked_, [](const Refuse& found) { return finding(found); })},
                             {"next", position(play(state, move))}});
    }
    std::string describe() {
        const Look& of = looks();
        auto sentence = [](const auto& of) {
            return json::object({{"code", json::text(of.first)}, {"sentence", json::text(of.second)}});
        };
        auto rule = [](const Rule& of) {
            return json::object(
                {{"code", json::text(of.code)}, {"name", json::text(of.name)}, {"sentence", json::text(of.sentence)}});
        };
        auto piece = [](const std::pair<char, Piece>& of) {
            return json::object({{"letter", json::text(std::string(1, of.first))},
                                 {"side", json::text_or_null(of.second.side)},
                                 {"shape", json::text(of.second.shape)},
                                 {"word", json::text_or_null(of.second.word)},
                                 {"shown", of.second.shown ? json::text(std::string(1, of.second.shown)) : "null"}});
        };
        auto pieces = of.pieces;
        if (pieces.empty())
            for (const std::string& side : of.sides) pieces.push_back({side.at(0), {side}});
        std::vector<std::string> sides;
        auto of_side = [](const std::vector<std::string>& texts, std::size_t at) {
            return at < texts.size() ? json::text(texts[at]) : "null";
        };
        for (std::size_t at = 0; at < of.sides.size(); ++at)
            sides.push_back(json::object({{"word", json::text(of.sides[at])},
                                          {"name", of_side(of.side_names.empty() ? of.sides : of.side_names, at)},
                                          {"colour", of_side(of.colours, at)}}));
        auto as_is = [](const std::string& json) { return json; };
        return json::object(
            {{"protocol", std::to_string(PROTOCOL)},
             {"name", json::text(of.name)},
             {"title", json::text(of.title)},
             {"sides", json::list(sides, as_is)},
             {"first", json::text_or_null(of.first)},
             {"board", json::object({{"columns", json::list(of.columns)},
                                     {"rows", json::list(of.rows)},
                                     {"square", json::text(of.square)},
                                     {"surface", json::text(of.surface)},
                                     {"empty", json::text(std::string(1, of.empty))}})},
             {"pieces", json::list(pieces, piece)},
             {"separator", json::text(of.separator)},
             {"input", json::object({{"time_line", json::number_or_null(of.time_line)},
                                     {"lines", std::to_string(of.input_lines)}})},
             {"play_time", json::number_or_null(of.play_time)},
             {"move_time", json::number_or_null(of.move_time)},
             {"draws", json::object({{"idle_turns", json::number_or_null(of.idle_turns)},
                                     {"repetitions", json::number_or_null(of.repetitions)},
                                     {"turn_limit", json::number_or_null(of.turn_limit)}})},
             {"progress", json::text(of.progress_words)},
             {"draw_decisions", json::list(of.draw_decisions)},
             {"typical_moves", std::to_string(of.typical_moves)},
             {"goals", json::list(of.goals, sentence)},
             {"draw_reasons", json::list(of.draw_reasons, sentence)},
             {"rules", json::list(of.rules, rule)},
             {"keeps_directory", json::boolean(of.keeps_directory)},
             {"reads_input", json::boolean(reads_input_)},
             {"evaluates", json::boolean(evaluates_)}});
    }
    std::string list_moves(const std::string& state) {
        std::vector<std::string> legal;
        if (status(state).kind == "to-move") legal = moves(state);
        return json::object({{"moves", json::list(legal)}});
    }
    std::string list_next(const std::string& state, const std::vector<std::string>& moves) {
        auto after = [&](const std::string& move) { return position(play(state, move)); };
        return json::object({{"next", json::list(moves, after)}});
    }
    std::string read_input(const std::string& text) {
        try {
            Input read = from_input(text);
            if (!read.clocks) return json::object({{"position", position(read.state)}});
            return json::object({{"position", position(read.state)},
                                 {"single", json::boolean(read.clocks->single)},
                                 {"own", json::text(read.clocks->own)},
                                 {"opponent", json::text(read.clocks->opponent)}});
        } catch (const Unreadable& fault) {
            return json::object({{"fault", json::object({{"line", std::to_string(fault.line)},
                                                         {"column", json::number_or_null(fault.column)},
                                                         {"message", json::text(fault.what())}})}});
        }
    }
    std::string answer(const Question& question) {
        const std::string& ask = question.text("ask");
        if (ask == "game") return describe();
        if (ask == "start") return position(start(question.text("to_move")));
        if (ask == "judge") return judge(question);
        if (ask == "moves") return list_moves(question.text("state"));
        if (ask == "next") return list_next(question.text("state"), question.texts("moves"));
        if (ask == "pass") return position(pass_turn(question.text("state")));
        if (ask == "input") {
            Clocks clocks{question.text("own"), question.text("opponent"), question.flag("single")};
            return json::object({{"text", json::text(to_input(question.text("state"), clocks))}});
        }
        if (ask == "read-input") return read_input(question.text("input"));
        if (ask == "evaluate") {
            const std::string& side = question.text("side");
            auto value = [&](const std::string& state) { return std::to_string(evaluate(state, side)); };
            return json::object({{"values", json::list(question.texts("states"), value)}});
        }
        throw std::runtime_error("this header does not know the question `" + ask + "`");
    }

    std::optional<Look> look_;
    bool reads_input_ = false, evaluates_ = false, exact_ = false;
    std::vector<Refuse> overlooked_;
};

// Whether a game has its own `from_input` and `evaluate`: a member that it inherits is one of `Game`.
template <class Rules, class = void>
struct ReadsInput : std::true_type {};
template <class Rules>
struct ReadsInput<Rules, std::enable_if_t<std::is_same_v<decltype(&Rules::from_input), decltype(&Game::from_input)>>>
    : std::false_type {};
template <class Rules, class = void>
struct Evaluates : std::true_type {};
template <class Rules>
struct Evaluates<Rules, std::enable_if_t<std::is_same_v<decltype(&Rules::evaluate), decltype(&Game::evaluate)>>>
    : std::false_type {};

// Answers the questions of `referee` by these rules, until standard input ends.
template <class Rules>
int run() {
    return Rules().serve(ReadsInput<Rules>::value, Evaluates<Rules>::value);
}

}  // namespace referee
