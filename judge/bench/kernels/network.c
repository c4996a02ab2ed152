// A small network of integers, as an evaluation: multiplications and sums over arrays.
#include "kernel.h"

enum { INPUTS = 256, HIDDEN = 64 };
static int16_t weights[HIDDEN][INPUTS], input[INPUTS];

uint32_t kernel(uint32_t repetitions) {
    uint32_t seed = 7, sum = 0;
    for (int i = 0; i < HIDDEN; i++)
        for (int j = 0; j < INPUTS; j++) weights[i][j] = (int16_t)(next(&seed) % 255 - 127);
    while (repetitions-- > 0) {
        for (int j = 0; j < INPUTS; j++) input[j] = (int16_t)(next(&seed) % 128);
        int32_t value = 0;
        for (int i = 0; i < HIDDEN; i++) {
            int32_t neuron = 0;
            for (int j = 0; j < INPUTS; j++) neuron += weights[i][j] * input[j];
            value += neuron > 0 ? neuron >> 6 : 0;
        }
        sum = sum * 31 + (uint32_t)value;
    }
    return sum;
}
