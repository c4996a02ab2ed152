// judge: game=agamemnon
// A bot for Agamemnon in C.
#include <stdio.h>
#include <string.h>

// The nodes: how many edges end there, another end of one of them, and whether a tile is there.
static int edges[100], neighbour[100], taken[100];
// Your letter on tiles: `O` or `B`.
static char me;

// YOUR STRATEGY: how good it is to place a tile of this kind (`a` to `j`) on this node. The best
// empty node is taken.
static int value(char kind, int node) {
    if (kind == 'i' || kind == 'j') return -edges[node];
    return edges[node];
}

// A Weft (`i`) or Warp (`j`) was drawn: do you put it back for another tile?
static int put_back(char kind) { return kind == 'i'; }

// The rest talks with the judge. What you print to stderr is your log.

static void place(char kind) {
    int best = -1;
    for (int node = 0; node < 100; node++) {
        if (edges[node] == 0 || taken[node]) continue;
        if (best < 0 || value(kind, node) > value(kind, best)) best = node;
    }
    taken[best] = 1;
    printf("%c%c%02d", me, kind, best);
    // A Warp exchanges the types of two edges at its node; the same edge twice changes nothing.
    if (kind == 'j') printf("%02d%02d", neighbour[best], neighbour[best]);
}

static int number(const char *two) { return 10 * (two[0] - '0') + two[1] - '0'; }

static void answer(const char *drawn, const char *tiles, const char *strings) {
    memset(edges, 0, sizeof edges);
    memset(taken, 0, sizeof taken);
    for (; strlen(strings) >= 5; strings += 5) {
        int one = number(strings + 1), two = number(strings + 3);
        edges[one]++;
        edges[two]++;
        neighbour[one] = two;
        neighbour[two] = one;
    }
    for (; strlen(tiles) >= 4; tiles += 4) taken[number(tiles + 2)] = 1;
    for (; *drawn; drawn++) place(*drawn);
    putchar('\n');
}

int main(void) {
    static char line[4100], drawn[4100], tiles[4100], strings[4100];
    while (fgets(line, sizeof line, stdin)) {
        int seat;
        if (sscanf(line, "game agamemnon seat %d", &seat) == 1) me = seat == 1 ? 'O' : 'B';
        if (strncmp(line, "redraw? ", 8) == 0) puts(put_back(line[8]) ? "yes" : "no");
        if (sscanf(line, "move? %s %s %s", drawn, tiles, strings) == 3) answer(drawn, tiles, strings);
    }
}
