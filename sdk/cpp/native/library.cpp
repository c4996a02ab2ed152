// A brain.cpp as a shared library: the callbacks, called directly. The base line for measuring a
// bot in a sandbox.
#include "brain.h"
#include "entry.h"

extern "C" {

void *judge_new() { return judge_kit::newPlayer(); }
void judge_free(void *brain) { delete static_cast<Brain *>(brain); }

// Tiles are numbers here: 10 * suit + rank.
void judge_draw(void *brain, int tile) { static_cast<Brain *>(brain)->getDraw(tile); }
int judge_discard(void *brain) { return static_cast<Brain *>(brain)->requestDiscard().toInt(); }
void judge_opponent(void *brain, int tile) { static_cast<Brain *>(brain)->getOppDiscard(tile); }
int judge_win(void *brain, int tile, int self) {
    return static_cast<Brain *>(brain)->requestWin(tile, self != 0);
}

}
