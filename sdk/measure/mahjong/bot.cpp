// judge: game=mahjong
// The strategy of sdk/templates/c/mahjong.c, with the kit of C++.
#include "judge/mahjong.h"
#include "judge/player.h"

using namespace judge;

class MyBot : public Player<mahjong::State> {
    // 3 for each further tile of its kind, 2 for each neighbour.
    static int value(const mahjong::Hand &hand, int tile) {
        const int rank = mahjong::rankOf(tile);
        const bool above = rank < 9 && hand[tile + 1] > 0, below = rank > 1 && hand[tile - 1] > 0;
        return 3 * (hand[tile] - 1) + 2 * (above + below);
    }

    mahjong::Move chooseMove(const mahjong::State &state) override {
        if (state.question != "discard") return mahjong::YES;
        mahjong::Move worst;
        int least = 1000;
        for (mahjong::Move move : legalMoves(state)) {
            const int found = value(state.hand, move.tile);
            if (found >= least) continue;
            least = found;
            worst = move;
        }
        return worst;
    }
};
