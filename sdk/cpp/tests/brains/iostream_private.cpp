// check: --log of-suit
// Private overrides without `override`, `using namespace std`, cout on every call.
#include <iostream>
#include <vector>
#include "brain.h"
using namespace std;

class MyBrain : public Brain {
    vector<Tile> hand;
    void getDraw(Tile tileDrawn) {
        hand.push_back(tileDrawn);
        cout << "drew " << tileDrawn << endl;
    }
    Tile requestDiscard() {
        int best = 0;
        for (int i = 1; i < hand.size(); i++)
            if (hand[i] > hand[best]) best = i;
        Tile t = hand[best];
        hand.erase(hand.begin() + best);
        cout << "throw " << t << " of-suit " << t.suit << "; no end of line";
        return t;
    }
    void getOppDiscard(Tile tileDiscarded) { cerr << "saw " << tileDiscarded.toInt() << '\n'; }
    bool requestWin(Tile winningTile, bool isSelfDraw) {
        cout << (isSelfDraw ? "self" : "discard") << " win" << endl;
        return true;
    }
};
