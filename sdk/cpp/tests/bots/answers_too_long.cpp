// check: --no-imports
// An answer longer than a line overwrites nothing, and its full length goes to the judge.
//
// hears: game cc seat 1
// hears: move? 00
// says: 5000 bytes
// hears: move? 00
// says: 2
#include "bot.h"

class MyBot : public Bot {
    std::string answer(const std::string &) override {
        ++questions;
        return questions == 1 ? std::string(5000, 'x') : std::to_string(questions);
    }

    int questions = 0;
};
