// Checks Hand against the rule vectors, and the readings of a suit against a slow search.
// Usage: hand_test VECTORS.TXT
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "mahjong.h"

namespace {

int passed = 0, failed = 0;

void expect(bool right, const std::string &what) {
    ++(right ? passed : failed);
    if (!right) std::printf("failed: %s\n", what.c_str());
}

void checkWaits(const std::string &tiles, std::istringstream &in, const std::string &line) {
    std::string expected, found, wait;
    while (in >> wait) expected += wait + " ";
    std::ostringstream out;
    for (int number = 1; number < 30; ++number) {
        Tile tile(number);
        // A tile whose four copies are in the hand can still be named; it cannot be waited for.
        if (!tile.isValid() || Hand(tiles.c_str()).count(tile) == 4) continue;
        int faan = getScore(Hand(tiles.c_str()) + tile);
        if (faan > 0) out << tile << "=" << faan << " ";
    }
    found = out.str();
    expect(found == expected, line + ", found: " + found);
}

void checkVectors(const char *path) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream in(line);
        std::string kind, tiles;
        in >> kind >> tiles;
        int value = 0;
        if (kind == "waits")
            checkWaits(tiles, in, line);
        else if (kind == "hand")
            expect(in >> value && getScore(Hand(tiles.c_str())) == value, line);
        else if (kind == "distance")
            expect(in >> value && Hand(tiles.c_str()).distance() == value, line);
    }
}

// The largest 2 melds + partners + pair, by trying everything everywhere.
int slowBest(judge_kit::Counts &counts, int from, int blocks, bool pair) {
    static const int shapes[][3] = {{3, 0, 0}, {1, 1, 1}, {2, 0, 0}, {1, 1, 0}, {1, 0, 1}};
    int most = 0;
    for (int number = from; number < 30; ++number) {
        if (pair && counts[number] >= 2) {
            counts[number] -= 2;
            most = std::max(most, 1 + slowBest(counts, number, blocks, false));
            counts[number] += 2;
        }
        for (int shape = 0; blocks > 0 && shape < 5; ++shape) {
            const int *takes = shapes[shape];
            int rank = number % 10;
            if ((takes[1] && rank > 8) || (takes[2] && rank > 7) || takes[0] > counts[number] || takes[1] > counts[number + 1] ||
                takes[2] > counts[number + 2])
                continue;
            for (int i = 0; i < 3; ++i) counts[number + i] -= takes[i];
            int value = shape < 2 ? 2 : 1;
            most = std::max(most, value + slowBest(counts, number, blocks - 1, pair));
            for (int i = 0; i < 3; ++i) counts[number + i] += takes[i];
        }
    }
    return most;
}

void checkAgainstSearch() {
    std::mt19937 random(1);
    for (int round = 0; round < 400; ++round) {
        // Few different tiles, so that crowded suits occur as well as scattered hands.
        unsigned span = round % 3 == 0 ? 9 : round % 3 == 1 ? 13 : 27;
        Hand hand;
        while (hand.size() < 13u + round % 2) {
            int index = static_cast<int>(random() % span);
            Tile tile(index / 9, index % 9 + 1);
            if (hand.count(tile) < 4) hand.insert(tile);
        }
        judge_kit::Counts counts;
        for (int number = 0; number < 32; ++number) counts[number] = hand.counts()[number];
        int slow = std::min(8 - slowBest(counts, 1, 4, true), 6 - judge_kit::pairsIn(counts));
        std::ostringstream text;
        text << hand;
        expect(hand.distance() == slow, "distance of " + text.str());
        expect((getScore(hand) > 0) == (hand.size() == 14 && slow == -1),
               "won when the distance is -1: " + text.str());
    }
}

void checkBag() {
    Hand hand("122367c1478b1389d");
    expect(hand.size() == 14 && hand.count(Tile(12)) == 2, "a hand is read from text");
    std::ostringstream text;
    text << hand;
    expect(text.str() == "1478b122367c1389d", "a hand prints in order: " + text.str());
    expect(hand.erase(Tile(12)) == 1 && hand.count(Tile(12)) == 1, "erase takes one tile");
    expect(hand.erase(Tile(19)) == 0 && hand.size() == 13, "erase of a tile that is not there");
    expect(hand.find(Tile(19)) == hand.end(), "find");
    hand.insert(Tile{0});
    expect(hand.size() == 13, "no tile is not taken in");
}

}  // namespace

int main(int, char **arguments) {
    checkVectors(arguments[1]);
    checkAgainstSearch();
    checkBag();
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
