// check: --dies out_of_range
// The message of a failing at() follows what the program itself prints.
#include <iostream>
#include <vector>
#include "brain.h"
using namespace std;

class MyBrain : public Brain {
    vector<Tile> hand;
    void getDraw(Tile t) { hand.push_back(t); }
    Tile requestDiscard() {
        cout << "going to the " << hand.size() << "th";
        return hand.at(hand.size());
    }
    void getOppDiscard(Tile) {}
    bool requestWin(Tile, bool) { return true; }
};
