/* The script in an interpreter's memory.
 *
 * `judge build` appends the script to the interpreter as one more data segment, behind the memory of
 * the interpreter's snapshot. No allocator knows this place, so the script is never copied.
 * The format, in little endian:
 *
 *   magic       4 bytes, "JS\x02\0" or "PY\x02\0"
 *   length      u32, of all that follows
 *   then each file, the main one first:
 *     name size u32, with the zero byte at the end
 *     name      as in an import, with a zero byte
 *     text size u32, without the zero byte at the end
 *     text      with a zero byte
 *
 * judge/interpreters/src/block.rs writes it. The snapshot gets the kit in the same format, from
 * standard input.
 */
#ifndef JUDGE_SCRIPT_H
#define JUDGE_SCRIPT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* End of the memory in the snapshot; 0 before. */
static uintptr_t script_start;

static uintptr_t script_memory_end(void) {
    return (uintptr_t)__builtin_wasm_memory_size(0) << 16;
}

/* Finds the script. False without one. */
static int script_take(struct script *script, const char magic[4]) {
    const unsigned char *start = (const unsigned char *)script_start;
    if (script_start == 0 || script_memory_end() <= script_start) return 0;
    if (memcmp(start, magic, 4) != 0) return 0;
    script->at = start + 8;
    script->end = start + 8 + script_u32(start + 4);
    return 1;
}

/* Bytes of a kit, with those in front of its first file; traps without one. */
static size_t script_read_head(unsigned char head[8], const char magic[4]) {
    if (read(0, head, 8) != 8 || memcmp(head, magic, 4) != 0) __builtin_trap();
    return script_u32(head + 4);
}

/* Reads the files of a kit into memory for `length` bytes. */
static void script_read(struct script *script, unsigned char *into, size_t length) {
    size_t had = 0;
    while (had < length) {
        ssize_t got = read(0, into + had, length - had);
        if (got <= 0) __builtin_trap();
        had += (size_t)got;
    }
    script->at = into;
    script->end = into + length;
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
