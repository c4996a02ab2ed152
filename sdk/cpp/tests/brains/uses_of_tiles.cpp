// Tiles, suits and hands in every place where a first-year program puts them.
#include <algorithm>
#include <iostream>
#include <list>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_set>
#include <vector>
#include "brain.h"
using namespace std;

struct BySuit {
    bool operator()(const Tile &a, const Tile &b) const {
        return a.suit == b.suit ? a.rank < b.rank : a.suit < b.suit;
    }
};

class MyBrain : public Brain {
    multiset<Tile, BySuit> hand;
    int table[3][10];
    int sum;

    void getDraw(Tile t) {
        hand.insert(t);
        table[t.suit][t.rank]++;
        table[t.suit()][t.rank() % 10]--;
        sum += "bcd"[t.suit] - 'b';
    }

    void members(Tile t, const Tile other) {
        switch (t.suit) {
        case BAMBOO: sum++; break;
        case Suit::CHARACTERS: sum--; break;
        default: sum += 10 * t.suit + t.rank;
        }
        switch (t.rank) {
        case 1: sum++;
        }
        for (Suit s : {BAMBOO, CHARACTERS, DOTS}) sum += s == other.suit;
        Suit s = (Suit)(sum % 3);
        s = static_cast<Suit>(2);
        sum += t.rank > 5 ? t.rank : 5;
        sum += abs(t.rank - other.rank) + min(t.rank(), 3) + max(other.getRank(), int(t.rank));
        if (t.rank && !t.suit && s != t.getSuit()) sum += t.rank * 1.5;
        Tile *p = &t;
        p->rank = 3;
        sum += p->rank / 2 + p->toInt();
    }

    void values(Tile t) {
        Tile five = 5, none = {}, pair_of{1, 2}, bamboo{BAMBOO, 3}, tiles[3] = {1, 2, 3}, more[4];
        t = 12;
        t = Tile{0};
        t = sum > 0 ? five : 12;
        swap(t, five);
        if (t != 3 || 3 < t || t == none || t >= bamboo) more[0] = max({pair_of, max(t, five)});
        sort(tiles, tiles + 3, greater<Tile>());
        sort(tiles, tiles + 3, [](auto a, auto b) { return a > b; });
        sum = accumulate(tiles, tiles + 3, sum, [](int s, Tile x) { return s + x.toInt(); });
    }

    void containers(Tile t) {
        vector<Tile> v(20), w;
        map<pair<Tile, Tile>, int> pairs;
        pairs[{1, 2}] = 3;
        tuple<Tile, int> p{1, 2}, q{t, 3};
        if (p < q || v == w || make_pair(t, 1) < make_pair(t, 2)) sum++;
        v.push_back(7);
        sum += count(v.begin(), v.end(), 5) + count(v.begin(), v.end(), Tile(5));
        sort(v.rbegin(), v.rend());
        v.erase(unique(v.begin(), v.end()), v.end());
        v.erase(find(v.begin(), v.end(), Tile(7)));
        priority_queue<pair<int, Tile>> best;
        best.push({1, t});
        list<Tile> chain{1, 2};
        chain.remove(Tile(1));
        unordered_set<Tile> seen{1, 2};
        sum += seen.count(t) + chain.size();
    }

    void hands(Tile t) {
        Hand h(hand.begin(), hand.end()), copy = h;
        vector<Tile> tiles(h.begin(), h.end());
        sum += getScore(h + t) + getScore(tiles) + copy.getScore() + h.count(t);
        if (copy.find(t) != copy.end()) copy.erase(copy.find(t));
        for (auto &&x : copy) sum += x.toInt();
        sum += prev(h.end())->rank + max_element(h.begin(), h.end())->toInt();
        if (sum == 12345) cout << h << t << t.suit << t.rank << endl;
    }

    Tile requestDiscard() {
        Tile best = hand.empty() ? 0 : *hand.begin();
        members(best, 13);
        values(best);
        containers(best);
        hands(best);
        hand.erase(hand.find(best));
        return best;
    }
    void getOppDiscard(Tile t) { sum -= t.toInt(); }
    bool requestWin(Tile, bool) { return true; }
};
