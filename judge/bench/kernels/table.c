// A table of positions by hash: multiplications, unpredictable places in memory.
#include "kernel.h"

enum { SLOTS = 1 << 15, KEYS = 20000 };
struct slot {
    uint64_t key;
    int32_t value;
};
static struct slot slots[SLOTS];

static struct slot *find(uint64_t key) {
    uint32_t place = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 49);
    while (slots[place].key != 0 && slots[place].key != key) place = (place + 1) % SLOTS;
    return &slots[place];
}

uint32_t kernel(uint32_t repetitions) {
    uint32_t seed = 5, sum = 0;
    while (repetitions-- > 0) {
        for (uint32_t i = 0; i < SLOTS; i++) slots[i].key = 0;
        for (uint32_t i = 0; i < KEYS; i++) {
            uint64_t key = next(&seed) % 30000 + 1;
            struct slot *slot = find(key);
            slot->value = slot->key == key ? slot->value + 1 : 1;
            slot->key = key;
            sum += (uint32_t)slot->value;
        }
    }
    return sum;
}
