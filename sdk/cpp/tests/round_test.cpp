// Checks the native engine against the rule vectors: walls of seeds, and rounds on given walls
// with the number of callbacks. Usage: round_test VECTORS.TXT
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "round.h"

namespace {

int passed = 0, failed = 0;

void expect(bool right, const std::string &what) {
    ++(right ? passed : failed);
    if (!right) std::printf("failed: %s\n", what.c_str());
}

// Throws its largest tile, and counts how often it is called.
class Counting : public Brain {
public:
    Counting(int &calls, bool wins) : calls_(calls), wins_(wins) {}

    void getDraw(Tile tileDrawn) override {
        ++calls_;
        hand_.insert(tileDrawn);
    }
    Tile requestDiscard() override {
        ++calls_;
        Tile largest = hand_[hand_.size() - 1];
        hand_.erase(largest);
        return largest;
    }
    void getOppDiscard(Tile) override { ++calls_; }
    bool requestWin(Tile, bool) override {
        ++calls_;
        return wins_;
    }

private:
    int &calls_;
    bool wins_;
    Hand hand_;
};

std::vector<Tile> tilesOf(const std::string &text) {
    std::istringstream in(text);
    std::vector<Tile> tiles;
    for (Tile tile; in >> tile;) tiles.push_back(tile);
    return tiles;
}

void checkRound(std::istringstream &in, const std::string &line) {
    std::string tiles, wins[2], ending;
    int winner, faan, left, callbacks, calls = 0;
    in >> tiles >> wins[0] >> wins[1] >> ending >> winner >> faan >> left >> callbacks;
    Counting first(calls, wins[0] == "always"), second(calls, wins[1] == "always");
    std::vector<Tile> wall = tilesOf(tiles);
    judge_kit::Wall given(wall.data(), static_cast<int>(wall.size()));
    judge_kit::Result result = judge_kit::playRound(given, first, second);
    static const char *const endings[] = {"draw", "self_draw", "discard", "illegal"};
    expect(in && endings[static_cast<int>(result.ending)] == ending && result.winner == winner &&
               result.faan == faan && result.tilesLeft == left && calls == callbacks,
           line);
}

void checkWall(std::istringstream &in, const std::string &line) {
    unsigned long long seed;
    std::string text, tiles;
    in >> seed >> tiles;
    judge_kit::Wall wall(seed);
    std::vector<Tile> order = tilesOf(tiles);
    bool same = order.size() == 108;
    for (int i = 107; same && i >= 0; --i) same = wall.draw() == order[static_cast<std::size_t>(i)];
    expect(same, line);
}

}  // namespace

int main(int, char **arguments) {
    std::ifstream file(arguments[1]);
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream in(line);
        std::string kind;
        in >> kind;
        if (kind == "round") checkRound(in, line);
        if (kind == "wall") checkWall(in, line);
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
