// The lab's most straightforward player: throws its largest tile (bamboo, characters, dots; then by
// rank) and agrees to every win. A bot that scores more than this has passed.
#include "brain.h"

class MyBrain : public Brain {
public:
    void getDraw(Tile tileDrawn) override {
        int number = tileDrawn.toInt();
        ++counts[number];
        if (number > largest) largest = number;
    }

    Tile requestDiscard() override {
        while (counts[largest] == 0) --largest;
        --counts[largest];
        return largest;
    }

    void getOppDiscard(Tile) override {}

    bool requestWin(Tile, bool) override { return true; }

private:
    unsigned char counts[30] = {};
    // Never below the largest tile of the hand.
    int largest = 0;
};
