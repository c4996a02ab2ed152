// build: --log
// check: --dies exception
// A throw ends the program, caught or not.
#include <stdexcept>
#include "brain.h"

class MyBrain : public Brain {
    void getDraw(Tile) {}
    Tile requestDiscard() {
        try {
            throw std::runtime_error("no idea");
        } catch (...) {
            return Tile(11);
        }
    }
    void getOppDiscard(Tile) {}
    bool requestWin(Tile, bool) { return true; }
};
