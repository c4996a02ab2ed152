// check: --no-imports
// The student's own hand in plain arrays, a recursive search, macros, names that other libraries
// use too.
#include "brain.h"
#include <cstring>
#include <algorithm>
#define MAXN 30
#define max(a, b) ((a) > (b) ? (a) : (b))

int cnt[MAXN];
int rest[MAXN];
int count(int *a) {
    int sum = 0;
    for (int i = 0; i < MAXN; i++) sum += a[i];
    return sum;
}
int search(int *a, int from, int melds, int partners, int pair) {
    int best = 2 * melds + (melds + partners > 4 ? 4 - melds : partners) + pair;
    for (int i = from; i < 30; i++) {
        if (i % 10 == 0 || a[i] == 0) continue;
        if (a[i] >= 3 && melds < 4) {
            a[i] -= 3;
            best = max(best, search(a, i, melds + 1, partners, pair));
            a[i] += 3;
        }
        if (i % 10 <= 7 && a[i + 1] && a[i + 2] && melds < 4) {
            a[i]--, a[i + 1]--, a[i + 2]--;
            best = max(best, search(a, i, melds + 1, partners, pair));
            a[i]++, a[i + 1]++, a[i + 2]++;
        }
        if (a[i] >= 2) {
            a[i] -= 2;
            best = max(best, search(a, i, melds, partners + (pair > 0), 1));
            a[i] += 2;
        }
    }
    return best;
}
bool judge(Tile t) { return t.toInt() > 0; }

class MyBrain : public Brain {
private:
    void getDraw(Tile tileDrawn);
    Tile requestDiscard();
    void getOppDiscard(Tile tileDiscarded);
    bool requestWin(Tile winningTile, bool isSelfDraw);

public:
    MyBrain() {
        memset(cnt, 0, sizeof(cnt));
        for (int i = 0; i < 30; i++) rest[i] = 4;
    }
};

void MyBrain::getDraw(Tile tileDrawn) {
    cnt[tileDrawn.toInt()]++;
    rest[tileDrawn.toInt()]--;
}
Tile MyBrain::requestDiscard() {
    int choice = -1, value = -1;
    for (int i = 1; i < 30; i++) {
        if (!cnt[i]) continue;
        cnt[i]--;
        int v = search(cnt, 1, 0, 0, 0);
        cnt[i]++;
        if (v > value) value = v, choice = i;
    }
    cnt[choice]--;
    return Tile(choice);
}
void MyBrain::getOppDiscard(Tile tileDiscarded) { rest[tileDiscarded.toInt()]--; }
bool MyBrain::requestWin(Tile winningTile, bool isSelfDraw) {
    return count(cnt) == 13 && judge(winningTile);
}
