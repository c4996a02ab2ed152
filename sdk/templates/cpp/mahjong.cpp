// A bot for Mahjong in C++.
#include "brain.h"

class MyBrain : public Brain {
    Hand hand;

    // YOUR STRATEGY: how much this tile is worth to you. The one of the least worth is thrown.
    int value(Tile tile) const {
        int worth = 0;
        for (std::size_t i = 0; i < hand.size(); ++i) {
            Tile other = hand[i];
            if (other.suit() != tile.suit()) continue;
            int apart = other.rank() - tile.rank();
            if (apart == 0) worth += 3;
            if (apart == 1 || apart == -1) worth += 2;
        }
        return worth;
    }

    // A win is offered: do you take it?
    bool requestWin(Tile winningTile, bool isSelfDraw) override { return true; }

    // The judge gives you a tile. What you print to `cout` is your log.
    void getDraw(Tile tileDrawn) override { hand.insert(tileDrawn); }

    // The other side threw a tile.
    void getOppDiscard(Tile tileDiscarded) override {}

    // You throw a tile.
    Tile requestDiscard() override {
        Tile worst = hand[0];
        for (std::size_t i = 1; i < hand.size(); ++i) {
            if (value(hand[i]) < value(worst)) worst = hand[i];
        }
        hand.erase(worst);
        return worst;
    }
};
