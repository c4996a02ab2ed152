// judge: game=amazons
// A bot for Amazons in C++. The kit is inside the judge; `judge/amazons.h` has the game.
#include "judge/amazons.h"
#include "judge/player.h"

using namespace judge;

class MyBot : public Player<amazons::State> {
    // YOUR STRATEGY: how good a state is for you, after your move. The move to the best one is
    // played: here, the one after which your amazons reach more squares than the other side's.
    int value(const amazons::State &state, int seat) {
        return room(state, seat) - room(state, otherSeat(seat));
    }

    int room(const amazons::State &state, int seat) {
        int count = 0;
        for (int from : amazons::amazons(state, seat)) count += reach(state, from).size();
        return count;
    }

    // Tries a hundred of the moves, as there may be thousands. `log("…")` writes to your log.
    amazons::Move chooseMove(const amazons::State &state) override {
        std::vector<amazons::Move> moves = legalMoves(state);
        random.shuffle(moves);
        if (moves.size() > 100) moves.resize(100);
        amazons::Move best = moves[0];
        int most = -1000000;
        for (const amazons::Move &move : moves) {
            int found = value(apply(state, move), state.seat);
            if (found > most) {
                most = found;
                best = move;
            }
        }
        log("played: " + formatMove(best));
        return best;
    }
};
