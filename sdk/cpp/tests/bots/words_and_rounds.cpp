// build: --game cc --author me
// check: --game cc --no-imports
// Private overrides, a member never initialised, no notice: every round has a new bot.
//
// hears: game cc seat 1 size=8
// hears: move?   00  11
// says: 1: move? 00 11
// hears: opponent 0,1>0,2
// hears: move? 22
// says: 2: move? 22
// hears: end draw 1 1
// hears: game cc seat 2 size=8
// hears: redraw?
// says: 1: redraw?
#include "bot.h"

class MyBot : public Bot {
    std::string answer(const std::string &question) override {
        ++questions;
        std::string text = std::to_string(questions) + ":";
        for (const std::string &word : words(question)) text += " " + word;
        return text;
    }

    int questions;
};
