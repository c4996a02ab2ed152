// What the pieces of the small system below a bot know of each other.
#pragma once

#if defined(__wasm__)

extern "C" {

// From log.cpp, which is linked only when the program prints: test for null before calling.
__attribute__((weak)) void judge_kit_log(const char *text, int length);
__attribute__((weak)) void judge_kit_flush();

}

#endif
