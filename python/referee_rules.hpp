// The rules of a game for `referee`, as a program of its own: version 1 of the protocol, in one C++17 header.
//
// Derive from `referee::Game`, and end `main` with `return YourGame().run();`. A state is a string of your own making, such as
// the board and the side to move; it never changes: `play` returns a new one. A side is its word, such as "X". A move is its
// text, as an agent writes it. `docs/custom-games.md` explains every function; `referee new-game NAME --language cpp` writes
// an example.

#pragma once

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace referee {

constexpr int PROTOCOL = 1;

// Why an answer is not a move: throw it in `from_output` (wrong format) or `check` (illegal move).
struct Refuse : std::runtime_error {
    Refuse(std::string code, const std::string& message, std::string hint = "", int line = 0, int column = 0)
        : std::runtime_error(message), code(std::move(code)), hint(std::move(hint)), line(line), column(column) {}
    std::string code, hint;
    int line, column;
};

// Why an `input.txt` cannot be read: throw it in `from_input`. The line counts from 1.
struct Unreadable : std::runtime_error {
    Unreadable(int line, const std::string& message) : std::runtime_error(message), line(line) {}
    int line;
};

// What `input.txt` may tell of time: the seconds left, as texts, and whether it is a single move.
struct Clocks {
    std::string own, opponent;
    bool single = false;
};

// A text as JSON. Bytes beyond ASCII stand for the character of the same number.
inline std::string quoted(const std::string& text) {
    std::string json = "\"";
    for (unsigned char byte : text) {
        if (byte == '"' || byte == '\\') {
            json += '\\';
            json += static_cast<char>(byte);
        } else if (byte < 0x20 || byte >= 0x7f) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", byte);
            json += escape;
        } else {
            json += static_cast<char>(byte);
        }
    }
    return json + "\"";
}

inline std::string list(const std::vector<std::string>& texts) {
    std::string json = "[";
    for (const std::string& text : texts) json += (json.size() > 1 ? "," : "") + quoted(text);
    return json + "]";
}

// A status of a position, and the side that is to move, or would be.
struct Status {
    std::string side, json;
};

inline Status to_move(const std::string& side) { return {side, "{\"kind\":\"to-move\"}"}; }
inline Status must_pass(const std::string& side) { return {side, "{\"kind\":\"must-pass\"}"}; }

using Scores = std::map<std::string, double>;

inline std::string scores_json(const Scores& scores) {
    std::string json = ",\"scores\":{";
    bool first = true;
    for (const auto& [side, score] : scores) {
        json += (first ? "" : ",") + quoted(side) + ":" + std::to_string(score);
        first = false;
    }
    return json + "}";
}

// `by` is a code of `goals`, "no-pieces", "no-moves", or "higher-score" with `scores`.
inline Status won(const std::string& winner, const std::string& by, const std::string& side, const Scores& scores = {}) {
    std::string json = "{\"kind\":\"won\",\"winner\":" + quoted(winner) + ",\"by\":" + quoted(by);
    if (!scores.empty()) json += scores_json(scores);
    return {side, json + "}"};
}

// `by` is a code of `draw_reasons`, "blocked", "no-moves", or "equal-scores" with `scores`.
inline Status drawn(const std::string& side, const std::string& by = "blocked", const Scores& scores = {}) {
    std::string json = "{\"kind\":\"drawn\",\"by\":" + quoted(by);
    if (!scores.empty()) json += scores_json(scores);
    return {side, json + "}"};
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

// What the game is like. Every field but the first three has a default that will often do.
struct Look {
    std::string name, title;             // on the command line and in records; within a sentence
    std::vector<std::string> sides;      // their words in `input.txt`; the first begins, and is `black` in records
    std::vector<std::string> columns;    // labels of the columns, from the left
    std::vector<std::string> rows;       // labels of the rows, from the top
    std::string square = "column-row";   // how a square is named by them
    std::string surface = "plain";       // or "chequered", "felt", "points"
    char empty = '.';                    // the letter of an empty square
    std::map<char, std::string> pieces;  // the letter and the side of each kind; none: a disk for each side, its word
    std::string separator = " ";         // between the squares of a move
    int time_line = 0, input_lines = 0;  // the line of `input.txt` that tells the time, and how many lines it has
    double play_time = 100;              // seconds of CPU time for a whole game
    int idle_turns = 0, repetitions = 0, turn_limit = 0;  // draws; 0: none
    std::map<std::string, std::string> goals;             // code and sentence of what the game is won by
    std::map<std::string, std::string> draw_reasons;      // the same of what else makes it a draw
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
        for (const std::string& legal : moves(state))
            if (legal == move) return;
        throw Refuse("illegal-move", "this is not a legal move");
    }
    virtual std::string pass_turn(const std::string&) { throw std::runtime_error("there is no `pass_turn`"); }
    virtual bool is_progress(const std::string&, const std::string&) { return false; }
    // What people see beside the board: labels with texts, such as {{"Captures", "X 4, O 2"}}.
    virtual std::map<std::string, std::string> notes(const std::string&) { return {}; }
    virtual bool reads_input() { return false; }
    virtual std::string from_input(const std::string&) { throw Unreadable(1, "there is no `from_input`"); }
    virtual bool evaluates() { return false; }
    virtual int evaluate(const std::string&, const std::string&) { return 0; }

    int run() {
        std::ios::sync_with_stdio(false);
        for (std::string line; std::getline(std::cin, line);) {
            std::string id = "0", reply;
            try {
                Question question(line);
                id = question.text("id");
                reply = "\"answer\":" + answer(question);
            } catch (const std::exception& error) {
                reply = "\"error\":" + quoted(error.what());
            }
            std::cout << "{\"id\":" << id << "," << reply << "}\n" << std::flush;
        }
        return 0;
    }

private:
    std::string position(const std::string& state) {
        Status now = status(state);
        std::string beside;
        for (const auto& [label, text] : notes(state))
            beside += (beside.empty() ? "" : ",") + ("{\"label\":" + quoted(label)) + ",\"text\":" + quoted(text) + "}";
        return "{\"state\":" + quoted(state) + ",\"to_move\":" + quoted(now.side) + ",\"status\":" + now.json +
               ",\"board\":" + list(board(state)) + ",\"notes\":[" + beside + "]}";
    }
    std::string refusal(const Refuse& refused, const char* kind) {
        std::string json = "{\"refusal\":{\"kind\":\"" + std::string(kind) + "\",\"code\":" + quoted(refused.code) +
                           ",\"message\":" + quoted(refused.what());
        if (!refused.hint.empty()) json += ",\"hint\":" + quoted(refused.hint);
        if (refused.line) json += ",\"line\":" + std::to_string(refused.line);
        if (refused.column) json += ",\"column\":" + std::to_string(refused.column);
        return json + "}}";
    }
    std::string judge(const Question& question) {
        const std::string &state = question.text("state"), &text = question.text("output");
        std::string move, warnings;
        try {
            move = from_output(text);
            if (text != move && text != move + "\n") {
                if (question.flag("exact")) throw Refuse("exact-format", "the answer is not exactly the move");
                warnings = "{\"code\":\"exact-format\",\"message\":\"the answer is not exactly the move\"}";
            }
        } catch (const Refuse& refused) {
            return refusal(refused, "format");
        }
        try {
            check(state, move);
        } catch (const Refuse& refused) {
            return refusal(refused, "illegal");
        }
        return "{\"move\":" + quoted(move) + ",\"progress\":" + (is_progress(state, move) ? "true" : "false") +
               ",\"warnings\":[" + warnings + "],\"next\":" + position(play(state, move)) + "}";
    }
    std::string describe() {
        Look of = look();
        std::string sides, pieces;
        for (const std::string& side : of.sides) sides += (sides.empty() ? "" : ",") + ("{\"word\":" + quoted(side)) + "}";
        if (of.pieces.empty())
            for (const std::string& side : of.sides) of.pieces[side.at(0)] = side;
        for (const auto& [letter, side] : of.pieces)
            pieces += (pieces.empty() ? "" : ",") + ("{\"letter\":" + quoted(std::string(1, letter))) +
                      ",\"side\":" + quoted(side) + "}";
        auto reasons = [](const std::map<std::string, std::string>& texts) {
            std::string json;
            for (const auto& [code, sentence] : texts)
                json += (json.empty() ? "" : ",") + ("{\"code\":" + quoted(code)) + ",\"sentence\":" + quoted(sentence) + "}";
            return "[" + json + "]";
        };
        auto turns = [](int number) { return number ? std::to_string(number) : "null"; };
        return "{\"protocol\":" + std::to_string(PROTOCOL) + ",\"name\":" + quoted(of.name) + ",\"title\":" +
               quoted(of.title) + ",\"sides\":[" + sides + "],\"board\":{\"columns\":" + list(of.columns) + ",\"rows\":" +
               list(of.rows) + ",\"square\":" + quoted(of.square) + ",\"surface\":" + quoted(of.surface) + ",\"empty\":" +
               quoted(std::string(1, of.empty)) + "},\"pieces\":[" + pieces + "],\"separator\":" + quoted(of.separator) +
               ",\"input\":{\"time_line\":" + turns(of.time_line) + ",\"lines\":" + std::to_string(of.input_lines) +
               "},\"play_time\":" + std::to_string(of.play_time) + ",\"draws\":{\"idle_turns\":" + turns(of.idle_turns) +
               ",\"repetitions\":" + turns(of.repetitions) + ",\"turn_limit\":" + turns(of.turn_limit) + "},\"goals\":" +
               reasons(of.goals) + ",\"draw_reasons\":" + reasons(of.draw_reasons) + ",\"reads_input\":" + (reads_input() ? "true" : "false") + ",\"evaluates\":" +
               (evaluates() ? "true" : "false") + "}";
    }
    std::string answer(const Question& question) {
        const std::string& ask = question.text("ask");
        if (ask == "game") return describe();
        if (ask == "start") return position(start(question.text("to_move")));
        if (ask == "judge") return judge(question);
        if (ask == "moves") {
            const std::string& state = question.text("state");
            std::vector<std::string> legal;
            if (status(state).json == to_move("").json) legal = moves(state);
            std::string json = "{\"moves\":" + list(legal);
            if (question.flag("next")) {
                std::string next;
                for (const std::string& move : legal) next += (next.empty() ? "" : ",") + position(play(state, move));
                json += ",\"next\":[" + next + "]";
            }
            return json + "}";
        }
        if (ask == "pass") return position(pass_turn(question.text("state")));
        if (ask == "input") {
            Clocks clocks{question.text("own"), question.text("opponent"), question.flag("single")};
            return "{\"text\":" + quoted(to_input(question.text("state"), clocks)) + "}";
        }
        if (ask == "read-input") {
            try {
                return "{\"position\":" + position(from_input(question.text("input"))) + "}";
            } catch (const Unreadable& fault) {
                return "{\"fault\":{\"line\":" + std::to_string(fault.line) + ",\"message\":" + quoted(fault.what()) + "}}";
            }
        }
        if (ask == "evaluate") {
            std::string values;
            for (const std::string& state : question.texts("states"))
                values += (values.empty() ? "" : ",") + std::to_string(evaluate(state, question.text("side")));
            return "{\"values\":[" + values + "]}";
        }
        throw std::runtime_error("this header does not know the question `" + ask + "`");
    }
};

}  // namespace referee
