// judge: game=cc
// A bot for Capturing & Conquering in C++. The kit is inside the judge; `judge/cc.h` has the game.
#include "judge/cc.h"
#include "judge/player.h"

using namespace judge;

class MyBot : public Player<cc::State> {
    // YOUR STRATEGY: how good a move is. The best one is played: here a winning one, or else the one
    // that runs farthest, where a man taken counts as three squares.
    int value(const cc::State &state, const cc::Move &move) {
        if (result(apply(state, move)) == state.seat) return 1000;
        int run = far(move.path.back()) - far(move.path.front());
        return (state.seat == 1 ? run : -run) + (captured(state, move) > 0 ? 3 : 0);
    }

    // The number of rows and columns from the top left corner to a square.
    int far(int square) { return cc::rowOf(square) + cc::columnOf(square); }

    // `log("…")` writes to your log.
    cc::Move chooseMove(const cc::State &state) override {
        std::vector<cc::Move> moves = legalMoves(state, 500);
        cc::Move best = moves[0];
        for (const cc::Move &move : moves) {
            if (value(state, move) > value(state, best)) best = move;
        }
        log("played: " + formatMove(best));
        return best;
    }
};
