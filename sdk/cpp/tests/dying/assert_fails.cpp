// check: --dies Assertion
#include <cassert>
#include "brain.h"

class MyBrain : public Brain {
    int drawn = 0;
    void getDraw(Tile) { ++drawn; }
    Tile requestDiscard() {
        assert(drawn == 13 && "drew too many");
        return Tile(11);
    }
    void getOppDiscard(Tile) {}
    bool requestWin(Tile, bool) { return true; }
};
