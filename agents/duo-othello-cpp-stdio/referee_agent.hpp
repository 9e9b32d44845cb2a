// Runs an agent that stays alive for a whole game, over standard input and output.
//
//     struct Agent {
//         std::string answer(const std::string& question);  // the text of an input.txt in, that of an output.txt out
//     };
//
//     int main() { return referee_agent::run<Agent>(); }
//
// One Agent is made for the game, before the first question. What it prints goes to standard error, where it does no harm.
// Copy this file into your submission. Licence: MIT or Apache-2.0, at your option.
#pragma once

#include <cstdio>
#include <iostream>
#include <string>

#include <unistd.h>

namespace referee_agent {

// Reads the lines up to an empty one; false at the end of the input, which ends the game.
inline bool ask(std::string& question) {
    question.clear();
    for (std::string line; std::getline(std::cin, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (!line.empty())
            question += line + "\n";
        else if (!question.empty())
            return true;
    }
    return !question.empty();
}

template <class Agent>
int run() {
    // Whatever is printed, even by a library, must not be taken for an answer.
    std::FILE* answers = fdopen(dup(STDOUT_FILENO), "w");
    dup2(STDERR_FILENO, STDOUT_FILENO);
    Agent agent;
    for (std::string question; ask(question);) {
        std::string answer = agent.answer(question);
        while (!answer.empty() && answer.back() == '\n') answer.pop_back();
        if (answer.empty() || answer.find("\n\n") != std::string::npos) {
            std::fprintf(stderr, "an answer must have no empty line: \"%s\"\n", answer.c_str());
            return 1;
        }
        std::fprintf(answers, "%s\n\n", answer.c_str());
        std::fflush(answers);
    }
    return 0;
}

}  // namespace referee_agent
