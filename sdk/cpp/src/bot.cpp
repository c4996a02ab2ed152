// The exports through which the judge plays a bot.
#include JUDGE_KIT_SEAT
#include "system.h"

static char line[judge_kit::maxLine];
static judge_kit::Seat seat;

extern "C" {

__attribute__((export_name("judge_buffer"))) char *judge_buffer() { return line; }

__attribute__((export_name("judge_line"))) int judge_line(int length) {
    int answer = seat.take(line, length);
    // Text that waits in stdout for the end of its line is written with an answer, so that it
    // appears next to the move that it is about.
    if (answer > 0 && judge_kit_flush) judge_kit_flush();
    return answer;
}

}
