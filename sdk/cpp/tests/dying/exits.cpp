// check: --dies
// exit() and abort() end the bot; memory that is never freed runs out at 2 MiB.
#include <cstdlib>
#include <vector>
#include "brain.h"

class MyBrain : public Brain {
    void getDraw(Tile) {}
    Tile requestDiscard() {
        std::vector<std::vector<int>> piles;
        for (int i = 0; i < 1000; ++i) piles.emplace_back(10000);
        std::exit(piles.size() == 1000 ? 0 : 1);
    }
    void getOppDiscard(Tile) {}
    bool requestWin(Tile, bool) { return true; }
};
