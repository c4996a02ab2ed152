// Shared parts of the headers of all games.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace judge {

// Results besides the number of the seat that has won: the game is open, or a draw.
constexpr int OPEN = 0;
constexpr int DRAW = 3;

// The seat of the opponent: 2 for 1, and 1 for 2.
constexpr int otherSeat(int seat) { return 3 - seat; }

// The scores of seat 1 and seat 2.
struct Scores {
    int one = 0, two = 0;

    // The score of a seat.
    int of(int seat) const { return seat == 1 ? one : two; }
    // The lead of a seat over the other.
    int lead(int seat) const { return of(seat) - of(otherSeat(seat)); }
};

// The words of a line.
using Words = std::vector<std::string>;

// The parts of a text between separators.
inline Words split(const std::string &text, char separator) {
    Words parts(1);
    for (char letter : text) {
        if (letter == separator) {
            parts.emplace_back();
        } else {
            parts.back() += letter;
        }
    }
    return parts;
}

// Reads a whole number of the protocol.
inline int number(const std::string &text) {
    int value = 0;
    for (char letter : text) {
        if (letter >= '0' && letter <= '9') value = 10 * value + (letter - '0');
    }
    return value;
}

// The first line of a round, `game cc seat 1 size=8 …`, taken apart.
struct Greeting {
    std::string game;
    int seat = 1;
    std::map<std::string, std::string> options;

    explicit Greeting(const Words &words) : game(words[1]), seat(number(words[3])) {
        for (std::size_t i = 4; i < words.size(); ++i) {
            const std::size_t at = words[i].find('=');
            options[words[i].substr(0, at)] = words[i].substr(at + 1);
        }
    }

    // The value of a rule switch, empty if there is none.
    std::string option(const std::string &key) const {
        const auto found = options.find(key);
        return found == options.end() ? std::string() : found->second;
    }
};

}  // namespace judge
