// A search that copies its state by value at every step, as a first search is often written.
#include "kernel.h"

enum { SIDE = 8 };
struct state {
    int8_t board[SIDE * SIDE];
    int32_t scores[2];
    int32_t turn;
};

static struct state moved(struct state state, int square) {
    state.board[square] = (int8_t)(1 + (state.turn & 1));
    state.scores[state.turn & 1] += square % 7;
    state.turn++;
    return state;
}

static int32_t search(struct state state, int depth) {
    if (depth == 0) return state.scores[0] - state.scores[1];
    int32_t best = -1000000;
    for (int square = state.turn; square < SIDE * SIDE; square += 5) {
        if (state.board[square]) continue;
        int32_t value = -search(moved(state, square), depth - 1);
        if (value > best) best = value;
    }
    return best;
}

uint32_t kernel(uint32_t repetitions) {
    uint32_t sum = 0;
    while (repetitions-- > 0) {
        struct state start = {.scores = {(int32_t)(repetitions % 7), 0}, .turn = (int32_t)(repetitions & 3)};
        sum = sum * 31 + (uint32_t)search(start, 4);
    }
    return sum;
}
