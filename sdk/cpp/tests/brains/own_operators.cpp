// Operators and helpers that the kit offers too, defined again; Hand and getScore in use.
#include <iostream>
#include <sstream>
#include "game.h"
#include "mahjong.h"
using namespace std;

bool operator<(const Tile &a, const Tile &b) { return a.toInt() < b.toInt(); }
bool operator==(Tile a, Tile b) { return a.toInt() == b.toInt(); }
ostream &operator<<(ostream &out, const Tile &t) { return out << "tile " << t.toInt(); }
int getScore(Hand hand, int bonus) { return getScore(hand) + bonus; }
enum Phase { EARLY, LATE };

class MyBrain : public Brain {
public:
    void getDraw(Tile t) override { hand.insert(t); }
    Tile requestDiscard() override {
        Tile best = *hand.begin();
        int least = 99;
        for (Tile t : hand) {
            Hand rest = hand;
            rest.erase(t);
            if (rest.distance() < least) {
                least = rest.distance();
                best = t;
            }
        }
        switch (best.suit) {
        case BAMBOO: bamboo++; break;
        case CHARACTERS:
        case DOTS: break;
        }
        hand.erase(best);
        ostringstream text;
        text << best << ' ' << hand;
        return text.str().empty() ? Tile(0) : best;
    }
    void getOppDiscard(Tile t) override { phase = t.rank() > 5 && t.getRank() > 5 ? LATE : EARLY; }
    bool requestWin(Tile t, bool) override { return getScore(hand + t) > 0 && getScore(hand + t, 1) > 1; }

private:
    Hand hand;
    Phase phase = EARLY;
    int bamboo = 0;
};
