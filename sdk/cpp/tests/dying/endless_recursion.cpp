// check: --dies
// The stack is at the bottom of memory: overflowing it is a trap, not a corrupted program.
#include "brain.h"

int dig(int depth) {
    volatile char room[512];
    room[depth % 512] = static_cast<char>(depth);
    return dig(depth + 1) + room[0];
}

class MyBrain : public Brain {
    void getDraw(Tile) {}
    Tile requestDiscard() { return dig(0); }
    void getOppDiscard(Tile) {}
    bool requestWin(Tile, bool) { return true; }
};
