// check: --no-imports
// bits/stdc++.h, containers of tiles, a priority queue, C++17 features.
#include <bits/stdc++.h>
#include "brain.h"
#define rep(i, n) for (int i = 0; i < (n); i++)
#define pb push_back
using namespace std;
typedef long long ll;

struct Choice {
    Tile tile;
    double value;
    bool operator<(const Choice &other) const { return value < other.value; }
};

map<Tile, int> seen;
static set<Tile> all = {1, 2, 3};
const vector<pair<int, string>> names = {{0, "bamboo"}, {1, "characters"}, {2, "dots"}};

class MyBrain : public Brain {
public:
    MyBrain() : left(4) { rep(i, 3) table[i].fill(0); }
    void getDraw(Tile t) override {
        hand.insert(t);
        seen[t]++;
        auto [it, fresh] = all.insert(t);
        if (fresh && it->toInt() % 10 == 0) abort();
    }
    Tile requestDiscard() override {
        priority_queue<Choice> queue;
        for (auto t : hand) queue.push({t, value(t)});
        Tile t = queue.top().tile;
        hand.erase(hand.find(t));
        return t;
    }
    void getOppDiscard(Tile t) override {
        seen[t]++;
        river.pb(t);
        sort(river.begin(), river.end(), [](Tile a, Tile b) { return b < a; });
    }
    bool requestWin(Tile, bool) override { return true; }

private:
    double value(Tile t) {
        if (auto it = seen.find(t); it != seen.end() && it->second == 4) return 100;
        optional<int> near;
        for (const auto &other : hand)
            if (other.getSuit() == t.getSuit() && other != t) {
                int d = abs(other.getRank() - t.getRank());
                near = min(near.value_or(9), d);
            }
        function<double(int)> f = [&](int x) { return x <= 0 ? 0 : 1.5 + f(x - 1); };
        return near ? f(*near) : 50 + accumulate(table[t.suit].begin(), table[t.suit].end(), 0LL);
    }
    multiset<Tile> hand;
    vector<Tile> river;
    array<ll, 10> table[3];
    unordered_map<Tile, int> copies;
    int left;
};
