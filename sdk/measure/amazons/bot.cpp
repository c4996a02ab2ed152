// judge: game=amazons
// The measured search, in C++: the first 50 legal moves, each valued by the squares that the
// amazons of both sides reach after it; the first of the best is played.
#include "judge/amazons.h"
#include "judge/player.h"

using namespace judge;

class MyBot : public Player<amazons::State> {
    static int room(const amazons::State &state, int seat) {
        int count = 0;
        for (int from : amazons::amazons(state, seat)) {
            count += static_cast<int>(reach(state, from).size());
        }
        return count;
    }

    amazons::Move chooseMove(const amazons::State &state) override {
        const std::vector<amazons::Move> moves = legalMoves(state);
        amazons::Move best = moves[0];
        int most = -1000000;
        for (std::size_t i = 0; i < moves.size() && i < 50; ++i) {
            const amazons::State after = apply(state, moves[i]);
            const int found = room(after, state.seat) - room(after, otherSeat(state.seat));
            if (found <= most) continue;
            most = found;
            best = moves[i];
        }
        return best;
    }
};
