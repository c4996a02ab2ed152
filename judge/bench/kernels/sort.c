// Quicksort of a list of moves by their value: comparisons, swaps, recursion.
#include "kernel.h"

enum { MOVES = 20000 };
struct move {
    int32_t value;
    uint32_t id;
};
static struct move moves[MOVES];

static void sort(struct move *first, struct move *last) {
    while (first < last) {
        int32_t pivot = first[(last - first) / 2].value;
        struct move *low = first, *high = last;
        while (low <= high) {
            while (low->value < pivot) low++;
            while (high->value > pivot) high--;
            if (low <= high) {
                struct move other = *low;
                *low++ = *high;
                *high-- = other;
            }
        }
        sort(first, high);
        first = low;
    }
}

uint32_t kernel(uint32_t repetitions) {
    uint32_t seed = 2022, sum = 0;
    while (repetitions-- > 0) {
        for (uint32_t i = 0; i < MOVES; i++) moves[i] = (struct move){(int32_t)next(&seed), i};
        sort(moves, moves + MOVES - 1);
        for (uint32_t i = 0; i < MOVES; i += 97) sum = sum * 31 + moves[i].id;
    }
    return sum;
}
