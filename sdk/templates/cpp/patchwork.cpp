// judge: game=patchwork
// A bot for Patchwork in C++. The kit is inside the judge; `judge/patchwork.h` has the game.
#include "judge/patchwork.h"
#include "judge/player.h"

using namespace judge;

class MyBot : public Player<patchwork::State> {
    // YOUR STRATEGY: how good a move is. The best one is played: here, the patch that covers most for
    // its time. To advance brings a button for each square.
    double value(const patchwork::Move &move) {
        if (move.isAdvance()) return 1;
        const patchwork::Patch &patch = patchwork::patch(move.patch);
        int time = patch.time > 0 ? patch.time : 1;
        return double(2 * patch.squares + 4 * patch.income - patch.cost) / time;
    }

    // `log("…")` writes to your log.
    patchwork::Move chooseMove(const patchwork::State &state) override {
        std::vector<patchwork::Move> moves = legalMoves(state);
        patchwork::Move best = moves[0];
        for (const patchwork::Move &move : moves) {
            if (value(move) > value(best)) best = move;
        }
        log("played: " + formatMove(best));
        return best;
    }
};
