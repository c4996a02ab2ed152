// Distances on a board from all its cells: a queue, neighbours, bounds checks.
#include "kernel.h"
#include <string.h>

enum { SIDE = 10, CELLS = SIDE * SIDE };
static int8_t wall[CELLS];
static int16_t distance[CELLS], queue[CELLS];

static int32_t from(int start) {
    static const int dx[8] = {1, -1, 0, 0, 1, 1, -1, -1}, dy[8] = {0, 0, 1, -1, 1, -1, 1, -1};
    memset(distance, -1, sizeof distance);
    int head = 0, tail = 0;
    int32_t sum = 0;
    distance[start] = 0;
    queue[tail++] = (int16_t)start;
    while (head < tail) {
        int cell = queue[head++], x = cell % SIDE, y = cell / SIDE;
        sum += distance[cell];
        for (int way = 0; way < 8; way++) {
            int u = x + dx[way], v = y + dy[way];
            if (u < 0 || v < 0 || u >= SIDE || v >= SIDE) continue;
            int there = v * SIDE + u;
            if (wall[there] || distance[there] >= 0) continue;
            distance[there] = (int16_t)(distance[cell] + 1);
            queue[tail++] = (int16_t)there;
        }
    }
    return sum;
}

uint32_t kernel(uint32_t repetitions) {
    uint32_t seed = 3, sum = 0;
    while (repetitions-- > 0) {
        for (int i = 0; i < CELLS; i++) wall[i] = next(&seed) % 4 == 0;
        for (int i = 0; i < CELLS; i++)
            if (!wall[i]) sum = sum * 31 + (uint32_t)from(i);
    }
    return sum;
}
