// The judge's reference opponent `random`: throws a random one of its 14 tiles, never wins.
#pragma once

#include "brain.h"
#include "random.h"

namespace judge_kit {

class RandomOpponent : public Brain {
public:
    explicit RandomOpponent(std::uint64_t seed) : random_(seed, Purpose::opponentInSeat2) {}

    void getDraw(Tile tileDrawn) override { tiles_[count_++] = tileDrawn; }

    // The tiles are in the order in which they came; the last replaces the thrown one.
    Tile requestDiscard() override {
        std::uint32_t at = random_.below(static_cast<std::uint32_t>(count_));
        std::swap(tiles_[at], tiles_[--count_]);
        return tiles_[count_];
    }

    void getOppDiscard(Tile) override {}
    bool requestWin(Tile, bool) override { return false; }

private:
    Random random_;
    Tile tiles_[14];
    int count_ = 0;
};

}  // namespace judge_kit
