// A program that answers each line, a number of repetitions, with a checksum of its kernel: as a bot on
// standard input and output in the sandbox, and as an ordinary program of this machine. The same function
// is exported for an engine without a sandbox.
#include <stdint.h>
#include <stdio.h>

#ifdef __wasm__
__attribute__((export_name("kernel")))
#endif
uint32_t kernel(uint32_t repetitions);

// The next number of a fixed sequence (xorshift, Marsaglia 2003).
static inline uint32_t next(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

int main(void) {
    unsigned repetitions;
    while (scanf("%u", &repetitions) == 1) {
        printf("%u\n", (unsigned)kernel(repetitions));
        fflush(stdout);
    }
    return 0;
}
