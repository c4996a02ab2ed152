// One round of arcade Mahjong, in the order of the lab's flow chart.
#pragma once

#include <cstdint>

#include "brain.h"
#include "random.h"

namespace judge_kit {

// 108 tiles in an order that the seed decides, drawn from the end.
class Wall {
public:
    explicit Wall(std::uint64_t seed) {
        for (int i = 0; i < 108; ++i) tiles_[i] = Tile(i / 36, i / 4 % 9 + 1);
        Random(seed, Purpose::wall).shuffle(tiles_, 108);
    }
    // A given wall, for tests.
    Wall(const Tile *tiles, int count) : left_(count) {
        for (int i = 0; i < count; ++i) tiles_[i] = tiles[i];
    }

    int left() const { return left_; }
    Tile draw() { return tiles_[--left_]; }

private:
    Tile tiles_[108];
    int left_ = 108;
};

enum class Ending { wallEmpty, selfDraw, discard, illegalDiscard };

struct Result {
    Ending ending;
    int winner;  // 0 or 1; -1 without a winner
    int faan;
    int tilesLeft;
    Tile lastTile;

    int score() const { return winner < 0 ? 0 : 3 * faan + tilesLeft; }
};

// Plays the round; `first` draws first.
inline Result playRound(Wall wall, Brain &first, Brain &second) {
    Brain *brains[] = {&first, &second};
    Hand hands[2];
    for (int dealt = 0; dealt < 26; ++dealt) {
        Tile tile = wall.draw();
        hands[dealt % 2].insert(tile);
        brains[dealt % 2]->getDraw(tile);
    }
    for (int turn = 0; wall.left() > 0; turn = 1 - turn) {
        int other = 1 - turn;
        Tile drawn = wall.draw();
        int faan = (hands[turn] + drawn).getScore();
        if (faan > 0 && brains[turn]->requestWin(drawn, true))
            return {Ending::selfDraw, turn, faan, wall.left(), drawn};
        hands[turn].insert(drawn);
        brains[turn]->getDraw(drawn);

        Tile thrown = brains[turn]->requestDiscard();
        if (hands[turn].erase(thrown) == 0)
            return {Ending::illegalDiscard, -1, 0, wall.left(), thrown};
        faan = (hands[other] + thrown).getScore();
        if (faan > 0 && brains[other]->requestWin(thrown, false))
            return {Ending::discard, other, faan, wall.left(), thrown};
        brains[other]->getOppDiscard(thrown);
    }
    return {Ending::wallEmpty, -1, 0, 0, Tile()};
}

}  // namespace judge_kit
