// check: --dies out_of_range
// A bot that logs gives the reason for its end.
//
// hears: game cc seat 1
// hears: move?
#include "bot.h"

class MyBot : public Bot {
    std::string answer(const std::string &question) override {
        log("about to fail");
        return words(question).at(1);
    }
};
