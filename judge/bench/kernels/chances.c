// Random playouts with floating-point values: divisions, square roots, comparisons.
#include "kernel.h"
#include <math.h>

enum { ARMS = 32 };
static double value[ARMS], visits[ARMS];

uint32_t kernel(uint32_t repetitions) {
    uint32_t seed = 13, sum = 0;
    while (repetitions-- > 0) {
        for (int i = 0; i < ARMS; i++) visits[i] = 1, value[i] = 0.5;
        for (int turn = 1; turn < 400; turn++) {
            int best = 0;
            double most = -1;
            for (int i = 0; i < ARMS; i++) {
                double bound = value[i] / visits[i] + sqrt((double)turn / visits[i]);
                if (bound > most) most = bound, best = i;
            }
            visits[best] += 1;
            value[best] += next(&seed) % 1000 < 300 + 10u * (unsigned)best ? 1 : 0;
        }
        for (int i = 0; i < ARMS; i++) sum = sum * 31 + (uint32_t)visits[i];
    }
    return sum;
}
