/* MicroPython as a bot: takes the judge's lines from standard input, calls the function that the
 * script has connected with each, and prints its result. Standard error is the log, and `print`
 * writes there. An exception of the script is printed whole to the log, and in one line to standard
 * output before the program ends with code 1: the judge quotes that line. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../host.h"
#include "../script.h"
#include "py/builtin.h"
#include "py/compile.h"
#include "py/gc.h"
#include "py/mperrno.h"
#include "py/objexcept.h"
#include "py/runtime.h"
#include "py/stackctrl.h"

/* Bytes for the objects of a script, of the 2 MiB that bots have in the bundled suites. */
#define HEAP (1280 * 1024)

/* Bytes that a script may allocate until its garbage is collected. */
#define BETWEEN_COLLECTIONS (384 * 1024)

/* Bytes of the C stack that scripts may use, of 256 KiB: deep recursion is an exception. */
#define SCRIPT_STACK (160 * 1024)

/* Python's own limit of calls within each other. */
#define DEEPEST_CALL 1000

static struct script files;
static const char *main_name;

/* The highest address of the C stack that can hold objects. */
static char *stack_top;

void judge_print(const char *text, size_t length) {
    write_all(2, text, length);
}

void mp_hal_stdout_tx_strn_cooked(const char *text, size_t length) {
    write_all(2, text, length);
}

static inline uintptr_t stack_pointer(void) {
    uintptr_t at;
    __asm__ volatile(".globaltype __stack_pointer, i32\nglobal.get __stack_pointer\nlocal.set %0" : "=r"(at));
    return at;
}

/* The collector looks for objects in the C stack, but compiled WebAssembly keeps most variables
 * elsewhere. So garbage is collected only between two steps of Python code. There the interpreter's
 * loop has everything in its state, to which `state` points, and the functions that may be waiting for
 * such code to return keep their variables in memory, as the Makefile does not let them be optimised. */
void judge_between_steps(void *state) {
    (void)state;
    if (MP_STATE_MEM(gc_alloc_amount) * MICROPY_BYTES_PER_GC_BLOCK < BETWEEN_COLLECTIONS) return;
    gc_collect_start();
    uintptr_t from = stack_pointer() & ~(uintptr_t)3;
    gc_collect_root((void **)from, ((uintptr_t)stack_top - from) / sizeof(void *));
    gc_collect_end();
    MP_STATE_MEM(gc_alloc_amount) = 0;
}

/* Never called: the allocator is set up without it. */
void gc_collect(void) {}

MP_DEFINE_EXCEPTION(RecursionError, RuntimeError)

/* Replaces the function of that name in runtime.c. */
NORETURN void mp_raise_recursion_depth(void) {
    mp_raise_msg(&mp_type_RecursionError, MP_ERROR_TEXT("maximum recursion depth exceeded"));
}

/* Notes the depth of a call that takes no C stack. */
void judge_calls(mp_code_state_t *called, const mp_code_state_t *caller) {
    called->depth = caller->depth + 1;
    if (called->depth >= DEEPEST_CALL) mp_raise_recursion_depth();
}

void nlr_jump_fail(void *value) {
    (void)value;
    write_all(1, "an exception that nothing catches\n", 34);
    _exit(1);
}

mp_import_stat_t mp_import_stat(const char *path) {
    struct script script = files;
    struct script_file file;
    size_t length = strlen(path);
    while (script_next(&script, &file)) {
        if (strcmp(file.name, path) == 0) return MP_IMPORT_STAT_FILE;
        if (strncmp(file.name, path, length) == 0 && file.name[length] == '/') return MP_IMPORT_STAT_DIR;
    }
    return MP_IMPORT_STAT_NO_EXIST;
}

mp_lexer_t *mp_lexer_new_from_file(const char *path) {
    struct script_file file;
    if (!script_find(files, path, &file)) mp_raise_OSError(MP_ENOENT);
    return mp_lexer_new_from_str_len(qstr_from_str(path), file.text, file.length, 0);
}

/* `judge_host.connect(function)` */
static mp_obj_t host_connect(mp_obj_t function) {
    MP_STATE_PORT(judge_line) = function;
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_1(host_connect_obj, host_connect);

/* `judge_host.log(text)` */
static mp_obj_t host_log(mp_obj_t text) {
    mp_obj_print_helper(&mp_plat_print, text, PRINT_STR);
    judge_print("\n", 1);
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_1(host_log_obj, host_log);

/* `judge_host.clock()`: nanoseconds, which are instructions. */
static mp_obj_t host_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return mp_obj_new_int_from_ull((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
}
static MP_DEFINE_CONST_FUN_OBJ_0(host_clock_obj, host_clock);

/* `judge_host.random()` */
static mp_obj_t host_random(void) {
    return mp_obj_new_float(next_random());
}
static MP_DEFINE_CONST_FUN_OBJ_0(host_random_obj, host_random);

/* `judge_host.seed(number)` */
static mp_obj_t host_seed(mp_obj_t number) {
    random_state = (uint64_t)mp_obj_get_int_truncated(number);
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_1(host_seed_obj, host_seed);

static const mp_rom_map_elem_t host_names[] = {
    {MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_judge_host)},
    {MP_ROM_QSTR(MP_QSTR_connect), MP_ROM_PTR(&host_connect_obj)},
    {MP_ROM_QSTR(MP_QSTR_log), MP_ROM_PTR(&host_log_obj)},
    {MP_ROM_QSTR(MP_QSTR_clock), MP_ROM_PTR(&host_clock_obj)},
    {MP_ROM_QSTR(MP_QSTR_random), MP_ROM_PTR(&host_random_obj)},
    {MP_ROM_QSTR(MP_QSTR_seed), MP_ROM_PTR(&host_seed_obj)},
};
static MP_DEFINE_CONST_DICT(host_globals, host_names);
const mp_obj_module_t judge_host_module = {
    .base = {&mp_type_module},
    .globals = (mp_obj_dict_t *)&host_globals,
};
MP_REGISTER_MODULE(MP_QSTR_judge_host, judge_host_module);

/* Printed text, kept as far as there is room. */
struct kept {
    char text[MAX_QUOTED];
    size_t length;
};

static void print_and_keep(void *data, const char *text, size_t size) {
    struct kept *kept = data;
    write_all(2, text, size);
    size_t room = sizeof kept->text - kept->length;
    if (size > room) size = room;
    memcpy(kept->text + kept->length, text, size);
    kept->length += size;
}

/* A line of a file; 0 for none. */
struct place {
    qstr file;
    int line;
};

/* The files of lib/. */
static const char *const of_others[] = {
    "__future__.py", "abc.py",    "bisect.py", "collections.py", "copy.py",   "functools.py", "heapq.py",
    "itertools.py",  "math.py",   "operator.py", "random.py",    "string.py", "time.py",      "typing.py",
};

/* Distinguishes the author's files from the kit and the library. */
static bool is_own(qstr file) {
    const char *name = qstr_str(file);
    if (strncmp(name, "judge_bot/", 10) == 0) return false;
    for (size_t at = 0; at < MP_ARRAY_SIZE(of_others); at++) {
        if (strcmp(name, of_others[at]) == 0) return false;
    }
    return true;
}

/* Prints the calls that led to a failure, the innermost last, as Python does: a call that repeats
 * from the same place is printed three times. Returns the place in the author's files that
 * was reached last. */
static struct place print_trace(mp_obj_t raised) {
    size_t length, *values;
    mp_obj_exception_get_traceback(raised, &length, &values);
    if (length > 0) mp_print_str(&mp_plat_print, "Traceback (most recent call last):\n");
    struct place place = {MP_QSTRnull, 0};
    int repeated = 0;
    for (size_t at = length; at >= 3; at -= 3) {
        const size_t *call = values + at - 3, *outer = call + 3, *inner = call - 3;
        if (is_own((qstr)call[0])) place = (struct place){(qstr)call[0], (int)call[1]};
        repeated = at < length && memcmp(call, outer, 3 * sizeof *call) == 0 ? repeated + 1 : 0;
        if (repeated < 3) {
            mp_printf(&mp_plat_print, "  File \"%q\", line %d", (qstr)call[0], (int)call[1]);
            if (call[2] != MP_QSTRnull) mp_printf(&mp_plat_print, ", in %q", (qstr)call[2]);
            mp_print_str(&mp_plat_print, "\n");
        } else if (at == 3 || memcmp(call, inner, 3 * sizeof *call) != 0) {
            const char *times = repeated == 3 ? "time" : "times";
            mp_printf(&mp_plat_print, "  [Previous line repeated %d more %s]\n", repeated - 2, times);
        }
    }
    return place;
}

/* Prints the exception, and ends the program. */
static _Noreturn void fail(mp_obj_t raised) {
    static struct kept kept;
    char place[300] = "", line[MAX_QUOTED];
    mp_print_t printer = {&kept, print_and_keep};
    struct place at = print_trace(raised);
    mp_obj_print_helper(&printer, raised, PRINT_EXC);
    write_all(2, "\n", 1);
    if (at.line > 0) snprintf(place, sizeof place, "%s:%d: ", qstr_str(at.file), at.line);
    char *end = memchr(kept.text, '\n', kept.length);
    int length = (int)(end ? (size_t)(end - kept.text) : kept.length);
    snprintf(line, sizeof line, "%s%.*s", place, length, kept.text);
    write_all(1, line, strlen(line));
    write_all(1, "\n", 1);
    _exit(1);
}

/* The last places of names, by their hashes: MicroPython itself searches all known names. */
#define KNOWN 4096
static uint16_t known[KNOWN];

qstr qstr_find_slowly(const char *text, size_t length);

qstr qstr_find_strn(const char *text, size_t length) {
    uint32_t hash = 2166136261;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619;
    uint16_t *place = &known[(hash ^ hash >> 12) % KNOWN];
    if (*place != 0) {
        size_t size;
        const char *found = (const char *)qstr_data(*place, &size);
        if (size == length && memcmp(found, text, length) == 0) return *place;
    }
    qstr found = qstr_find_slowly(text, length);
    if (found != 0 && found <= UINT16_MAX) *place = (uint16_t)found;
    return found;
}

static void run_script(const struct script_file *file) {
    nlr_buf_t nlr;
    if (nlr_push(&nlr) != 0) fail(MP_OBJ_FROM_PTR(nlr.ret_val));
    qstr name = qstr_from_str(file->name);
    mp_lexer_t *lexer = mp_lexer_new_from_str_len(name, file->text, file->length, 0);
    mp_parse_tree_t tree = mp_parse(lexer, MP_PARSE_FILE_INPUT);
    mp_call_function_0(mp_compile(&tree, name, false));
    if (MP_STATE_PORT(judge_line) == MP_OBJ_NULL) {
        mp_raise_TypeError(MP_ERROR_TEXT("the script never calls `run(game, choose_move)`"));
    }
    nlr_pop();
}

/* Passes a line to the script and prints the answer, if it gives one. */
static void answer(const char *text, size_t length) {
    nlr_buf_t nlr;
    if (nlr_push(&nlr) != 0) fail(MP_OBJ_FROM_PTR(nlr.ret_val));
    mp_obj_t given = mp_call_function_1(MP_STATE_PORT(judge_line), mp_obj_new_str(text, length));
    if (given != mp_const_none) {
        size_t size;
        const char *line = mp_obj_str_get_data(given, &size);
        write_all(1, line, size);
        write_all(1, "\n", 1);
    }
    nlr_pop();
}

static void start(const struct script_file *file) {
    char *heap = malloc(HEAP);
    if (!heap) {
        write_all(1, "out of memory\n", 14);
        _exit(1);
    }
    mp_stack_set_top(stack_top);
    mp_stack_set_limit(SCRIPT_STACK);
    gc_init(heap, heap + HEAP);
    MP_STATE_MEM(gc_auto_collect_enabled) = 0;
    mp_init();
    mp_obj_list_init(MP_OBJ_TO_PTR(mp_sys_argv), 0);
    mp_obj_list_init(MP_OBJ_TO_PTR(mp_sys_path), 0);
    mp_obj_list_append(mp_sys_path, MP_OBJ_NEW_QSTR(MP_QSTR_));
    MP_STATE_PORT(judge_line) = MP_OBJ_NULL;
    main_name = file->name;
    run_script(file);
}

int main(void) {
    static struct lines lines;
    struct script_file file;
    if (!script_take(&files, "PY\x01")) return 2;
    struct script script = files;
    if (!script_next(&script, &file)) return 2;
    getentropy(&random_state, sizeof random_state);
    stack_top = (char *)stack_pointer() + 64;
    start(&file);
    const char *line;
    size_t size;
    while ((line = next_line(&lines, &size))) answer(line, size);
    return 0;
}
