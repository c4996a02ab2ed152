// check: --no-imports
// Includes only brain.h, and expects the rest to be there, `using` included.
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
