// The connections between the parts of the small system below a bot.
#pragma once

extern "C" {

// Set by log.cpp in a bot that prints, null in one that does not: through pointers, so that the
// latter is linked without them.
extern void (*judge_kit_log)(const char *text, int length);
extern void (*judge_kit_flush)();

}
