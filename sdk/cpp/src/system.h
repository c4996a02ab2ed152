// What the pieces of the small system below a bot know of each other.
#pragma once

extern "C" {

// Set by log.cpp when the program prints for the first time; null before. Through pointers, so
// that a program that never prints has neither the code nor the import of judge.log.
extern void (*judge_kit_log)(const char *text, int length);
extern void (*judge_kit_flush)();

}
