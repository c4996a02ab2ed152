// Primes below a limit: an array of bytes, with strides.
#include "kernel.h"
#include <string.h>

enum { LIMIT = 200000 };
static uint8_t composite[LIMIT];

uint32_t kernel(uint32_t repetitions) {
    uint32_t sum = 0;
    while (repetitions-- > 0) {
        memset(composite, 0, sizeof composite);
        for (uint32_t i = 2; i < LIMIT; i++) {
            if (composite[i]) continue;
            sum += i;
            for (uint32_t j = 2 * i; j < LIMIT; j += i) composite[j] = 1;
        }
    }
    return sum;
}
