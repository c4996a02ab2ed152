// Brain: the interface of a player of arcade Mahjong, and SimpleBrain, the lab's opponent. A
// brain.cpp includes this file and defines `class MyBrain : public Brain`; the kit does the
// rest.
#pragma once

#include "mahjong.h"

class Brain {
public:
    virtual ~Brain() = default;

    // You drew this tile; 13 times at the start of a round.
    virtual void getDraw(Tile tileDrawn) = 0;

    // Which tile of your 14 do you throw? It then leaves your hand; no other call says so.
    virtual Tile requestDiscard() = 0;

    // Your opponent threw this tile, and it did not end the round.
    virtual void getOppDiscard(Tile tileDiscarded) = 0;

    // This tile completes your hand: drawn by yourself, or thrown by your opponent. Do you want
    // to win with it? The tile has not been announced yet, and will be when you decline.
    virtual bool requestWin(Tile winningTile, bool isSelfDraw) = 0;
};

// Throws a random tile of its hand and never wins.
class SimpleBrain : public Brain {
public:
    void getDraw(Tile tileDrawn) override { hand.insert(tileDrawn); }

    Tile requestDiscard() override {
        // Numbers of Lehmer and Park and Miller; good enough for a poor player.
        state = state * 48271ULL % 2147483647ULL;
        Tile tile = hand[static_cast<std::size_t>(state) % hand.size()];
        hand.erase(tile);
        return tile;
    }

    void getOppDiscard(Tile) override {}

    bool requestWin(Tile, bool) override { return false; }

private:
    Hand hand;
    unsigned long long state = 20221201;
};
