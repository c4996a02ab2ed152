// Comes nearer to ready with every tile, as the lab's handout suggests. Of its 14 tiles it throws
// the one that
//   1. leaves the least distance,
//   2. leaves the most useful tiles unseen: tiles that would bring the hand nearer still, counted
//      by copies that are neither in the hand nor in one of the rivers,
//   3. is farthest from the middle of its suit,
//   4. is the largest.
// It agrees to every win.
#include "brain.h"
#include "mahjong/distance.h"

using judge_kit::SuitReading;
using judge_kit::SuitWays;

class MyBrain : public Brain {
public:
    MyBrain() {
        for (int number = 1; number < 30; ++number)
            if (Tile(number).isValid()) unseen[number] = 4;
    }

    void getDraw(Tile tileDrawn) override {
        ++hand[tileDrawn.toInt()];
        --unseen[tileDrawn.toInt()];
    }

    void getOppDiscard(Tile tileDiscarded) override { --unseen[tileDiscarded.toInt()]; }

    Tile requestDiscard() override {
        readSuits();
        int least = readDiscards();
        readDraws();
        int choice = 0, most = -1;
        for (int number = 1; number < 30; ++number) {
            if (hand[number] == 0 || distance[number] > least) continue;
            int rank = number % 10;
            int value = 10 * usefulAfter(number, least) + (rank > 5 ? rank - 5 : 5 - rank);
            if (value >= most) {
                most = value;
                choice = number;
            }
        }
        --hand[choice];
        return choice;
    }

    bool requestWin(Tile, bool) override { return true; }

private:
    // A suit as it would be with `change` more copies of a tile.
    SuitReading readAfter(int number, int change) {
        hand[number] = static_cast<unsigned char>(hand[number] + change);
        SuitReading reading{SuitWays(hand + number / 10 * 10 + 1)};
        hand[number] = static_cast<unsigned char>(hand[number] - change);
        return reading;
    }

    void readSuits() {
        for (int suit = 0; suit < 3; ++suit) whole[suit] = readAfter(10 * suit + 1, 0);
        for (int suit = 0; suit < 3; ++suit)
            rest[suit] = whole[(suit + 1) % 3] + whole[(suit + 2) % 3];
        pairs = judge_kit::pairsIn(hand);
    }

    // Distance to ready of the hand after each discard; returns the least distance.
    int readDiscards() {
        int least = 8;
        for (int number = 1; number < 30; ++number) {
            if (hand[number] == 0) continue;
            without[number] = readAfter(number, -1);
            int standard = without[number].distanceWith(rest[number / 10]);
            int sevenPairs = 6 - pairsAfter(number);
            distance[number] = standard < sevenPairs ? standard : sevenPairs;
            if (distance[number] < least) least = distance[number];
        }
        return least;
    }

    // Each suit with one more tile, for discards from another suit.
    void readDraws() {
        for (int number = 1; number < 30; ++number)
            if (unseen[number] > 0 && hasNeighbour(number)) with[number] = readAfter(number, 1);
    }

    // Copies of the tiles that would lower the distance once `thrown` is gone.
    int usefulAfter(int thrown, int least) {
        int own = thrown / 10, useful = 0, pairsLeft = pairsAfter(thrown);
        --hand[thrown];
        for (int suit = 0; suit < 3; ++suit) {
            SuitReading others =
                suit == own ? rest[own] : without[thrown] + whole[3 - own - suit];
            for (int number = 10 * suit + 1; number <= 10 * suit + 9; ++number) {
                if (unseen[number] == 0 || number == thrown || !hasNeighbour(number)) continue;
                bool nearer = 6 - pairsLeft - hand[number] % 2 < least;
                if (!nearer) {
                    SuitReading drawn = suit == own ? readAfter(number, 1) : with[number];
                    nearer = drawn.distanceWith(others) < least;
                }
                if (nearer) useful += unseen[number];
            }
        }
        ++hand[thrown];
        return useful;
    }

    int pairsAfter(int thrown) const { return pairs - (hand[thrown] % 2 == 0); }

    // A tile with no other near it joins nothing.
    bool hasNeighbour(int number) const {
        return hand[number] || hand[number - 1] || hand[number + 1] || hand[number + 2] ||
               (number > 1 && hand[number - 2]);
    }

    // By Tile::toInt().
    judge_kit::Counts hand = {};
    unsigned char unseen[30] = {};

    // The results of one requestDiscard: each suit, the two others together, each suit without or
    // with a tile, and the distance after throwing it.
    SuitReading whole[3], rest[3], without[30], with[30];
    int distance[30] = {};
    int pairs = 0;
};
