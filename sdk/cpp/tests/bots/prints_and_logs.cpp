// check: --log printed-logged
// Printed and logged text come in this order. No --game: the manifest has none.
//
// hears: game cc seat 1
// hears: move? 00
// says: pass
#include <iostream>
#include "bot.h"

class MyBot : public Bot {
    std::string answer(const std::string &) override {
        std::cout << "printed-";
        log("logged");
        return "pass";
    }
};
