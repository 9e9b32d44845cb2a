// A submission that is hopeless: Star and Circle (Spring 2018) in C++. It reads the input well, and then answers as if nobody
// could move: so all but a few of its lines are wrong, and each case is lost.
// Licence: MIT or Apache-2.0, at your option.

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

int main() {
    std::ifstream input("input.txt");
    std::string player, algorithm, depth, line;
    std::getline(input, player);
    std::getline(input, algorithm);
    std::getline(input, depth);
    std::vector<std::vector<std::string>> rows;
    while (std::getline(input, line)) {
        std::vector<std::string> cells;
        std::istringstream words(line);
        for (std::string cell; std::getline(words, cell, ',');) cells.push_back(cell);
        rows.push_back(cells);
    }
    int utility = 0;
    for (int row = 0; row < 8; ++row) {
        for (const std::string& cell : rows[row]) {
            if (cell[0] != 'S' && cell[0] != 'C') continue;
            // Row H is the first line, and its value the last for Star and the first for Circle.
            const int worth = std::stoi(cell.substr(1)) * std::stoi(rows[8][cell[0] == 'S' ? 7 - row : row]);
            utility += cell[0] == player[0] ? worth : -worth;
        }
    }
    std::ofstream("output.txt") << "pass\n" << utility << '\n' << utility << "\n1";
}
