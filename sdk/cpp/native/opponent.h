// The judge's reference opponent `random`: throws a random one of its 14 tiles, never wins.
#pragma once

#include "brain.h"
#include "random.h"

namespace judge_kit {

class RandomOpponent : public Brain {
public:
    explicit RandomOpponent(std::uint64_t seed) : random_(seed, Purpose::opponentInSeat2) {}

    void getDraw(Tile tileDrawn) override { hand_.insert(tileDrawn); }

    // Each tile of the sorted hand is as likely as any other; of two equal ones, each is.
    Tile requestDiscard() override {
        Tile tile = hand_[random_.below(static_cast<std::uint32_t>(hand_.size()))];
        hand_.erase(tile);
        return tile;
    }

    void getOppDiscard(Tile) override {}
    bool requestWin(Tile, bool) override { return false; }

private:
    Random random_;
    Hand hand_;
};

}  // namespace judge_kit
