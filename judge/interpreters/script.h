/* The script in an interpreter's memory.
 *
 * `judge build` appends the script to the interpreter as one more data segment. It is where the
 * allocator places its first block, so the first allocation takes it and never copies it.
 * The format, in little endian:
 *
 *   magic       4 bytes, "JS\x01\0" or "PY\x01\0"
 *   length      u32, of all that follows
 *   then each file, the main one first:
 *     name size u32, with the zero byte at the end
 *     name      as in an import, with a zero byte
 *     text size u32, without the zero byte at the end
 *     text      with a zero byte
 *
 * judge/interpreters/src/block.rs writes it.
 */
#ifndef JUDGE_SCRIPT_H
#define JUDGE_SCRIPT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* From the start of the heap to the script: the allocator keeps its data in front of a block. */
#define SCRIPT_OFFSET 64

struct script_file {
    const char *name;
    const char *text;
    size_t length;
};

struct script {
    const unsigned char *at;
    const unsigned char *end;
};

static uint32_t script_u32(const unsigned char *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* Reserves the script's place in the allocator. Call it before any allocation.
 * False without a script. */
static int script_take(struct script *script, const char magic[4]) {
    extern unsigned char __heap_base;
    uintptr_t heap = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    unsigned char *start = (unsigned char *)heap + SCRIPT_OFFSET;
    if (heap + SCRIPT_OFFSET + 8 > (uintptr_t)__builtin_wasm_memory_size(0) << 16) return 0;
    if (memcmp(start, magic, 4) != 0) return 0;
    size_t length = script_u32(start + 4);
    unsigned char *block = malloc(SCRIPT_OFFSET + 8 + length + 16);
    if (block > start || block + SCRIPT_OFFSET + 8 + length + 16 < start + 8 + length) __builtin_trap();
    script->at = start + 8;
    script->end = start + 8 + length;
    return 1;
}

/* The next file; false after the last. */
static int script_next(struct script *script, struct script_file *file) {
    if (script->at >= script->end) return 0;
    size_t name = script_u32(script->at);
    file->name = (const char *)script->at + 4;
    file->length = script_u32(script->at + 4 + name);
    file->text = (const char *)script->at + 8 + name;
    script->at += 8 + name + file->length + 1;
    return 1;
}

/* A file by its name. */
static int script_find(struct script script, const char *name, struct script_file *file) {
    while (script_next(&script, file)) {
        if (strcmp(file->name, name) == 0) return 1;
    }
    return 0;
}

#endif
