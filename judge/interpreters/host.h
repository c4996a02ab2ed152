/* Shared code of both interpreters: they take the judge's lines, write, and make random numbers. */
#ifndef JUDGE_HOST_H
#define JUDGE_HOST_H

#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Longest line of the judge, with its line feed, and longest that is quoted. */
#define MAX_LINE 4097
#define MAX_QUOTED 1000

static void write_all(int to, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(to, text, length);
        if (written <= 0) return;
        text += written;
        length -= (size_t)written;
    }
}

/* Clears the unused part of the C stack, which is at the bottom of memory, so that a snapshot keeps
 * nothing of what ran before. */
static inline void clear_stack(void) {
    uintptr_t at;
    __asm__ volatile(".globaltype __stack_pointer, i32\nglobal.get __stack_pointer\nlocal.set %0" : "=r"(at));
    volatile uintptr_t bottom = 16;
    memset((void *)bottom, 0, at - bottom);
}

/* State of the script's random numbers: SplitMix64, seeded by the judge for each round and seat. */
static uint64_t random_state;

/* The next one, at least 0 and less than 1. */
static double next_random(void) {
    uint64_t mixed = random_state += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    mixed ^= mixed >> 31;
    return (double)(mixed >> 11) * 0x1p-53;
}

/* The judge's lines; the script has read `taken` bytes in front. */
struct lines {
    char text[MAX_LINE + 1];
    size_t length, taken;
};

/* The next line and its size without the line feed; NULL after the last. It holds until the next call. */
static const char *next_line(struct lines *lines, size_t *size) {
    lines->length -= lines->taken;
    memmove(lines->text, lines->text + lines->taken, lines->length);
    lines->taken = 0;
    for (;;) {
        const char *end = memchr(lines->text, '\n', lines->length);
        if (end) {
            *size = (size_t)(end - lines->text);
            lines->taken = *size + 1;
            return lines->text;
        }
        ssize_t got = read(0, lines->text + lines->length, MAX_LINE - lines->length);
        if (got <= 0) return NULL;
        lines->length += (size_t)got;
    }
}

#endif
