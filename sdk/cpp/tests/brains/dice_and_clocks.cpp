// check: --no-imports
// Every way in which a student gets random numbers and the time; a search until time is up.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>
#include "brain.h"
using namespace std;

class MyBrain : public Brain {
public:
    MyBrain() : engine(random_device{}()) { srand((unsigned)time(NULL)); }
    void getDraw(Tile t) { hand.push_back(t); }
    Tile requestDiscard() {
        clock_t begin = clock();
        int tries = 0;
        while ((double)(clock() - begin) / CLOCKS_PER_SEC < 0.005) tries += rand() % 3;
        auto start = chrono::steady_clock::now();
        while (chrono::steady_clock::now() - start < chrono::milliseconds(2)) tries++;
        mt19937 other(chrono::system_clock::now().time_since_epoch().count());
        shuffle(hand.begin(), hand.end(), engine);
        random_shuffle(hand.begin(), hand.end());
        uniform_int_distribution<int> pick(0, (int)hand.size() - 1);
        int i = (pick(other) + tries) % hand.size();
        Tile t = hand[i];
        hand.erase(hand.begin() + i);
        return t;
    }
    void getOppDiscard(Tile) {}
    bool requestWin(Tile, bool) { return rand() % 2 || true; }

private:
    vector<Tile> hand;
    mt19937 engine;
};
