// check: --log hello
// C style: printf without an end of line, fprintf, puts, assert, malloc, qsort, sprintf.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "brain.h"

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

class MyBrain : public Brain {
    int *hand;
    int n;

public:
    MyBrain() : hand((int *)malloc(20 * sizeof(int))), n(0) { puts("hello"); }
    ~MyBrain() { free(hand); }
    void getDraw(Tile t) {
        hand[n++] = t.toInt();
        assert(n <= 14);
        printf("%d tiles ", n);
    }
    Tile requestDiscard() {
        char text[40];
        qsort(hand, n, sizeof(int), compare);
        sprintf(text, "%02d %.2f", hand[n - 1], n / 2.0);
        fprintf(stderr, "discard %s\n", text);
        fflush(stdout);
        return hand[--n];
    }
    void getOppDiscard(Tile) {}
    bool requestWin(Tile, bool) { return true; }
};
