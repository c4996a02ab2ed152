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
#include "py/objtype.h"
#include "py/runtime.h"
#include "py/stackctrl.h"

/* The first bytes of a script. */
#define MAGIC "PY\x02"

/* Bytes for the compiled library and kit, and for the objects of a script behind them, of the 2 MiB
 * that bots have in the bundled suites. */
#define MEMORY (1376 * 1024)

/* Bytes for the objects of a script, at least. */
#define HEAP (1280 * 1024)

/* Bytes that a script may allocate until its garbage is collected. */
#define BETWEEN_COLLECTIONS (384 * 1024)

/* Bytes of the C stack that scripts may use, of 256 KiB: deep recursion is an exception. */
#define SCRIPT_STACK (160 * 1024)

/* Python's own limit of calls within each other. */
#define DEEPEST_CALL 1000

static struct script files;

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

/* `judge_host.copied(object)`: an object of the same class with the same attributes. */
static mp_obj_t host_copied(mp_obj_t object) {
    const mp_obj_type_t *type = mp_obj_get_type(object), *native = NULL;
    mp_obj_instance_t *made = mp_obj_is_instance_type(type) ? mp_obj_new_instance(type, &native) : NULL;
    if (!made || native) mp_raise_TypeError(MP_ERROR_TEXT("only objects of a class without a built-in base are copied"));
    made->members = ((mp_obj_instance_t *)MP_OBJ_TO_PTR(object))->members;
    size_t size = made->members.alloc * sizeof(mp_map_elem_t);
    made->members.table = memcpy(m_malloc(size), made->members.table, size);
    return MP_OBJ_FROM_PTR(made);
}
static MP_DEFINE_CONST_FUN_OBJ_1(host_copied_obj, host_copied);

static const mp_rom_map_elem_t host_names[] = {
    {MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_judge_host)},
    {MP_ROM_QSTR(MP_QSTR_connect), MP_ROM_PTR(&host_connect_obj)},
    {MP_ROM_QSTR(MP_QSTR_log), MP_ROM_PTR(&host_log_obj)},
    {MP_ROM_QSTR(MP_QSTR_clock), MP_ROM_PTR(&host_clock_obj)},
    {MP_ROM_QSTR(MP_QSTR_random), MP_ROM_PTR(&host_random_obj)},
    {MP_ROM_QSTR(MP_QSTR_seed), MP_ROM_PTR(&host_seed_obj)},
    {MP_ROM_QSTR(MP_QSTR_copied), MP_ROM_PTR(&host_copied_obj)},
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

/* Distinguishes the author's files from the kit and the library, which are in the interpreter. */
static bool is_own(qstr file) {
    struct script_file found;
    return script_find(files, qstr_str(file), &found);
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

/* A bit for each hash of a name, so that most texts that are no name are not searched for. */
#define HASHES (1 << 16)
static unsigned char hashes[HASHES / 8];

static uint32_t hash_of(const char *text, size_t length) {
    uint32_t hash = 2166136261;
    for (size_t at = 0; at < length; at++) hash = (hash ^ (unsigned char)text[at]) * 16777619;
    return hash ^ hash >> 12;
}

/* Sets the bits of names that are new. */
static void note_names(void) {
    static size_t noted;
    size_t all = MP_STATE_VM(last_pool)->total_prev_len + MP_STATE_VM(last_pool)->len;
    for (; noted < all; noted++) {
        size_t size;
        const char *text = (const char *)qstr_data((qstr)noted, &size);
        uint32_t hash = hash_of(text, size) % HASHES;
        hashes[hash / 8] |= 1 << hash % 8;
    }
}

qstr qstr_find_slowly(const char *text, size_t length);

qstr qstr_find_strn(const char *text, size_t length) {
    note_names();
    uint32_t hash = hash_of(text, length);
    if (!(hashes[hash % HASHES / 8] >> hash % 8 & 1)) return MP_QSTRnull;
    uint16_t *place = &known[hash % KNOWN];
    if (*place != 0) {
        size_t size;
        const char *found = (const char *)qstr_data(*place, &size);
        if (size == length && memcmp(found, text, length) == 0) return *place;
    }
    qstr found = qstr_find_slowly(text, length);
    if (found != 0 && found <= UINT16_MAX) *place = (uint16_t)found;
    return found;
}

/* Modules of the library and the kit, for frozenmod.c: their names one after the other, and their code. */
#define MODULES 64
char mp_frozen_names[2048];
const mp_frozen_module_t *mp_frozen_mpy_content[MODULES];

/* In compile.c. */
mp_compiled_module_t mp_compile_to_raw_code(mp_parse_tree_t *, qstr, bool, mp_module_context_t *);

/* Compiles a module of the library or the kit; its code stays where it is. */
static mp_frozen_module_t *compile(const struct script_file *file) {
    qstr name = qstr_from_str(file->name);
    mp_lexer_t *lexer = mp_lexer_new_from_str_len(name, file->text, file->length, 0);
    mp_parse_tree_t tree = mp_parse(lexer, MP_PARSE_FILE_INPUT);
    mp_module_context_t *context = m_new_obj(mp_module_context_t);
    context->module.globals = mp_globals_get();
    mp_compiled_module_t made = mp_compile_to_raw_code(&tree, name, false, context);
    mp_frozen_module_t *module = m_new_obj(mp_frozen_module_t);
    memcpy(module, &(mp_frozen_module_t){.constants = context->constants, .rc = made.rc}, sizeof *module);
    return module;
}

/* Compiles all files, and frees the compiler's memory after each: only their code is left, at the
 * beginning of the memory. */
static void compile_kit(struct script kit) {
    nlr_buf_t nlr;
    if (nlr_push(&nlr) != 0) fail(MP_OBJ_FROM_PTR(nlr.ret_val));
    struct script_file file;
    char *name = mp_frozen_names;
    for (size_t at = 0; script_next(&kit, &file); at++) {
        size_t size = strlen(file.name) + 1;
        if (at == MODULES || name + size >= mp_frozen_names + sizeof mp_frozen_names) __builtin_trap();
        memcpy(name, file.name, size);
        name += size;
        mp_frozen_mpy_content[at] = compile(&file);
        gc_collect_start();
        gc_collect_root((void **)mp_frozen_mpy_content, MODULES);
        gc_collect_end();
    }
    nlr_pop();
}

/* The kit's package. */
#define KIT "judge_bot"

/* Imports the kit's modules, whose names are those of their files. The library is not kept: files beside
 * a script come first. */
static void import_kit(void) {
    nlr_buf_t nlr;
    if (nlr_push(&nlr) != 0) fail(MP_OBJ_FROM_PTR(nlr.ret_val));
    for (const char *file = mp_frozen_names; *file; file += strlen(file) + 1) {
        char name[100];
        size_t size = strlen(file) - strlen(".py");
        if (strncmp(file, KIT "/", sizeof KIT) != 0) continue;
        if (size > strlen("/__init__") && memcmp(file + size - strlen("/__init__"), "/__init__", strlen("/__init__")) == 0) size -= strlen("/__init__");
        if (size >= sizeof name) __builtin_trap();
        for (size_t at = 0; at < size; at++) name[at] = file[at] == '/' ? '.' : file[at];
        qstr module = qstr_from_strn(name, size);
        mp_map_t *known = &MP_STATE_VM(mp_loaded_modules_dict).map;
        /* A second import would replace the function `mahjong.distance` by the module of that name. */
        if (mp_map_lookup(known, MP_OBJ_NEW_QSTR(module), MP_MAP_LOOKUP) != NULL) continue;
        mp_import_name(module, mp_const_none, MP_OBJ_NEW_SMALL_INT(0));
    }
    mp_map_t *loaded = &MP_STATE_VM(mp_loaded_modules_dict).map;
    for (size_t at = 0; at < loaded->alloc; at++) {
        if (!mp_map_slot_is_filled(loaded, at)) continue;
        mp_obj_t name = loaded->table[at].key;
        if (strncmp(mp_obj_str_get_str(name), KIT, sizeof KIT - 1) != 0) mp_map_lookup(loaded, name, MP_MAP_LOOKUP_REMOVE_IF_FOUND);
    }
    nlr_pop();
}

/* Forgets the imported kit if the author has a copy of it. */
static void prefer_own_kit(void) {
    if (mp_import_stat(KIT) == MP_IMPORT_STAT_NO_EXIST && mp_import_stat(KIT ".py") == MP_IMPORT_STAT_NO_EXIST) return;
    mp_obj_dict_init(&MP_STATE_VM(mp_loaded_modules_dict), MICROPY_LOADED_MODULES_DICT_SIZE);
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

static void begin(char *from, char *end) {
    gc_init(from, end);
    MP_STATE_MEM(gc_auto_collect_enabled) = 0;
    mp_init();
}

/* The end of the last object in the memory. */
static char *end_of_objects(void) {
    char *end = (char *)MP_STATE_MEM(gc_pool_start);
    const unsigned char *kinds = MP_STATE_MEM(gc_alloc_table_start);
    for (size_t at = 0; at < MP_STATE_MEM(gc_alloc_table_byte_len); at++) {
        /* A byte is the kinds of four blocks. */
        if (kinds[at] != 0) end = (char *)MP_STATE_MEM(gc_pool_start) + (at + 1) * 4 * MICROPY_BYTES_PER_GC_BLOCK;
    }
    return end;
}

/* Gets everything ready that is the same in all rounds. Called once, when the interpreter is built:
 * a round begins with the memory that is left here. The library and the kit are compiled at the
 * beginning of the memory, where nothing is collected later, and a script's objects are behind
 * them. */
__attribute__((export_name("snapshot"))) void snapshot(void) {
    unsigned char head[8];
    size_t length = script_read_head(head, MAGIC);
    char *memory = malloc(MEMORY), *end = memory + MEMORY;
    unsigned char *text = (unsigned char *)end - length;
    script_read(&files, text, length);
    stack_top = (char *)stack_pointer() + 64;
    mp_stack_set_top(stack_top);
    mp_stack_set_limit(SCRIPT_STACK);
    begin(memory, (char *)text);
    compile_kit(files);
    files = (struct script){NULL, NULL};
    char *heap = end_of_objects();
    if (heap + HEAP > end) __builtin_trap();
    memset(MP_STATE_MEM(gc_alloc_table_start), 0, MP_STATE_MEM(gc_alloc_table_byte_len));
    memset(heap, 0, (size_t)(end - heap));
    /* The next name makes a pool that the collector knows. */
    qstr_pool_t *names = MP_STATE_VM(last_pool);
    names->alloc = names->len;
    begin(heap, end);
    MP_STATE_VM(last_pool) = names;
    mp_obj_list_init(MP_OBJ_TO_PTR(mp_sys_argv), 0);
    mp_obj_list_init(MP_OBJ_TO_PTR(mp_sys_path), 0);
    mp_obj_list_append(mp_sys_path, MP_OBJ_NEW_QSTR(MP_QSTR_));
    mp_obj_list_append(mp_sys_path, MP_OBJ_NEW_QSTR(MP_QSTR__dot_frozen));
    MP_STATE_PORT(judge_line) = MP_OBJ_NULL;
    import_kit();
    gc_collect_start();
    gc_collect_end();
    clear_stack();
    script_start = script_memory_end();
}

int main(void) {
    static struct lines lines;
    struct script_file file;
    if (!script_take(&files, MAGIC)) return 2;
    struct script script = files;
    if (!script_next(&script, &file)) return 2;
    getentropy(&random_state, sizeof random_state);
    stack_top = (char *)stack_pointer() + 64;
    mp_stack_set_top(stack_top);
    prefer_own_kit();
    run_script(&file);
    const char *line;
    size_t size;
    while ((line = next_line(&lines, &size))) answer(line, size);
    return 0;
}
