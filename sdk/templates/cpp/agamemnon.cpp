// judge: game=agamemnon
// A bot for Agamemnon in C++. The kit is inside the judge; `judge/agamemnon.h` has the game.
#include "judge/agamemnon.h"
#include "judge/player.h"

using namespace judge;

class MyBot : public Player<agamemnon::State> {
    // YOUR STRATEGY: how good a state is for you. Each tile is placed where it is best: here, where it
    // brings the largest lead at once.
    int value(const agamemnon::State &state) { return score(state).lead(state.seat); }

    agamemnon::Placement bestPlacement(const agamemnon::State &state, char kind) {
        agamemnon::Placement best;
        int most = -1000000;
        for (const agamemnon::Placement &placement : placements(state, kind)) {
            int found = value(place(state, placement));
            if (found > most) {
                most = found;
                best = placement;
            }
        }
        return best;
    }

    // `log("…")` writes to your log.
    agamemnon::Move chooseMove(const agamemnon::State &state) override {
        if (state.question == "redraw") return agamemnon::NO;
        agamemnon::Move move;
        agamemnon::State next = state;
        for (char kind : state.drawn) {
            move.placements.push_back(bestPlacement(next, kind));
            next = place(next, move.placements.back());
        }
        log("placed: " + formatMove(move));
        return move;
    }
};
