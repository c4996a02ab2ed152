// check: --no-imports
// dynamic_cast and typeid, and a brain that keeps SimpleBrain as a helper.
#include <typeinfo>
#include "brain.h"

struct Plan {
    virtual ~Plan() {}
};
struct Attack : Plan {
    int strength = 3;
};

class MyBrain : public Brain {
    SimpleBrain helper;
    Plan *plan = new Attack;
    Brain &simple() { return helper; }

public:
    void getDraw(Tile t) override { simple().getDraw(t); }
    Tile requestDiscard() override {
        if (Attack *attack = dynamic_cast<Attack *>(plan)) attack->strength--;
        return simple().requestDiscard();
    }
    void getOppDiscard(Tile t) override { simple().getOppDiscard(t); }
    bool requestWin(Tile, bool) override { return typeid(*plan) == typeid(Attack); }
};
