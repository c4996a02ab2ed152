// check: --no-imports
// Globals with constructors and destructors, a static member, static locals, a main for trials.
#include <list>
#include <memory>
#include <string>
#include <vector>
#include "brain.h"

struct Table {
    std::vector<int> value;
    Table() {
        for (int i = 0; i < 30; ++i) value.push_back(i * i);
    }
    ~Table() { value.clear(); }
};
Table table;
std::string note = "a string that is too long to stand inside the object itself";
std::unique_ptr<std::list<int>> order(new std::list<int>{3, 1, 2});
Tile favourite{0}, tiles[30];
int cnt[30];

class MyBrain : public Brain {
public:
    virtual void getDraw(Tile t) override {
        static std::vector<int> drawn;
        drawn.push_back(t.toInt());
        ++cnt[t.toInt()];
        ++calls;
    }
    virtual Tile requestDiscard() override {
        int best = 0;
        for (int i = 0; i < 30; ++i)
            if (cnt[i] > 0 && table.value[i] >= table.value[best]) best = i;
        --cnt[best];
        return best;
    }
    virtual void getOppDiscard(Tile t) override { tiles[t.toInt()] = t; }
    virtual bool requestWin(Tile, bool) override { return calls > 0 && note.size() > 9; }
    static int calls;
    ~MyBrain() { order.reset(); }
};
int MyBrain::calls = 0;

int main() {
    MyBrain brain;
    brain.getDraw(Tile(12));
    return brain.requestDiscard().toInt();
}
