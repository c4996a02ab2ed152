// Bot: a player of any game, as lines of text. A file includes this and defines
// `class MyBot : public Bot`; the kit does the rest.
#pragma once

#include <string>
#include <vector>

class Bot {
public:
    virtual ~Bot() = default;

    // A question: a line with a first word that ends in `?`. Your return value is your answer.
    virtual std::string answer(const std::string &question) = 0;

    // Any other line: a notice, without an answer.
    virtual void notice(const std::string &) {}
};

// The words of a line, without the spaces between them.
inline std::vector<std::string> words(const std::string &line) {
    std::vector<std::string> found;
    std::string word;
    for (char letter : line + ' ') {
        if (letter != ' ') {
            word += letter;
        } else if (!word.empty()) {
            found.push_back(word);
            word.clear();
        }
    }
    return found;
}

namespace judge_kit {
void writeLog(const char *text, std::size_t length);
}

// Writes a line to the bot's log, which the replay shows.
inline void log(const std::string &text) {
    std::string line = text + '\n';
    judge_kit::writeLog(line.data(), line.size());
}
