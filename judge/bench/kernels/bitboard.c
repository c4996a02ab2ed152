// Moves of a queen on a board in one word: shifts, masks, counting bits.
#include "kernel.h"

static const uint64_t LEFT = 0xfefefefefefefefeull, RIGHT = 0x7f7f7f7f7f7f7f7full;

static uint64_t ray(uint64_t from, uint64_t free, int shift, uint64_t mask) {
    uint64_t reached = 0;
    for (int i = 0; i < 7; i++) {
        from = (shift > 0 ? from << shift : from >> -shift) & mask & free;
        if (from == 0) break;
        reached |= from;
    }
    return reached;
}

static uint64_t queen(uint64_t from, uint64_t free) {
    return ray(from, free, 8, ~0ull) | ray(from, free, -8, ~0ull) | ray(from, free, 1, LEFT) |
           ray(from, free, -1, RIGHT) | ray(from, free, 9, LEFT) | ray(from, free, -9, RIGHT) |
           ray(from, free, 7, RIGHT) | ray(from, free, -7, LEFT);
}

uint32_t kernel(uint32_t repetitions) {
    uint32_t seed = 11, sum = 0;
    while (repetitions-- > 0) {
        uint64_t free = ((uint64_t)next(&seed) << 32 | next(&seed)) | next(&seed);
        for (int square = 0; square < 64; square++) {
            uint64_t moves = queen(1ull << square, free);
            while (moves) {
                sum += (uint32_t)__builtin_ctzll(moves) ^ sum << 1;
                moves &= moves - 1;
            }
        }
    }
    return sum;
}
