#include "brain.h"
#include <set>
class MyBrain : public Brain {
    std::multiset<Tile> hand;
    void getDraw(Tile tile) override { hand.insert(tile); }
    Tile requestDiscard() override { Tile t = *hand.rbegin(); hand.erase(hand.find(t)); return t; }
    void getOppDiscard(Tile) override {}
    bool requestWin(Tile, bool) override { return true; }
};
