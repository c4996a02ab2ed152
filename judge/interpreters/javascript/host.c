/* QuickJS as a bot: takes the judge's lines from standard input, calls the script's `judgeLine`
 * with each, and prints its result. Standard error is the log. An exception of the script is
 * printed whole to the log, and in one line to standard output before the program ends with code 1:
 * the judge quotes that line. */

#include <stdio.h>
#include <unistd.h>

#include "../host.h"
#include "../script.h"
#include "quickjs.h"

/* Bytes of the C stack that scripts may use, so that deep recursion is an exception of the script
 * and not a trap: the whole stack has 256 KiB. */
#define SCRIPT_STACK (192 * 1024)

/* The first bytes of a script. */
#define MAGIC "JS\x02"

/* Where the names of the kit's modules begin. No file beside a script has such a name. */
#define KIT "judge-bot:/"

static struct script files;

/* Writes a line to the log. */
static void log_text(JSContext *context, JSValueConst value) {
    size_t length;
    const char *text = JS_ToCStringLen(context, &length, value);
    if (!text) return;
    write_all(2, text, length);
    JS_FreeCString(context, text);
}

/* The first line of a text for standard output: the judge quotes it. */
static void tell(const char *place, const char *text) {
    char line[MAX_QUOTED];
    int size = snprintf(line, sizeof line, "%s%s", place, text);
    size_t length = strcspn(line, "\n");
    if (size < 0) return;
    write_all(1, line, length);
    write_all(1, "\n", 1);
}

/* The number after `NAME:` in a line of a stack trace; 0 if that file is not in it. */
static int line_in(const char *frame, size_t length, const char *name) {
    const char *end = frame + length;
    size_t size = strlen(name);
    for (const char *at = frame; (at = strstr(at, name)) && at + size < end; at++) {
        int is_whole = at > frame && (at[-1] == '(' || at[-1] == ' ') && at[size] == ':';
        if (is_whole) return atoi(at + size + 1);
    }
    return 0;
}

/* The place of the topmost line of a stack trace in the bot's own files: `bot.js:3: `. */
static void find_place(const char *stack, char *place, size_t room) {
    place[0] = 0;
    while (*stack) {
        size_t length = strcspn(stack, "\n");
        struct script script = files;
        struct script_file file;
        while (script_next(&script, &file)) {
            int line = strchr(file.name, '\n') ? 0 : line_in(stack, length, file.name);
            if (line > 0) {
                snprintf(place, room, "%s:%d: ", file.name, line);
                return;
            }
        }
        stack += length + (stack[length] == '\n');
    }
}

/* Prints the exception, and ends the program. */
static _Noreturn void fail(JSContext *context) {
    JSValue thrown = JS_GetException(context);
    char place[300] = "";
    /* The exception is null if there is not enough memory for an error. */
    const char *text = JS_IsNull(thrown) ? "out of memory, or `null` was thrown" : JS_ToCString(context, thrown);
    JSValue trace = JS_IsError(thrown) ? JS_GetPropertyStr(context, thrown, "stack") : JS_UNDEFINED;
    const char *stack = JS_IsString(trace) ? JS_ToCString(context, trace) : NULL;
    if (stack) find_place(stack, place, sizeof place);
    write_all(2, text ? text : "out of memory", text ? strlen(text) : 13);
    write_all(2, "\n", 1);
    if (stack) write_all(2, stack, strlen(stack));
    tell(place, text ? text : "out of memory");
    _exit(1);
}

static _Noreturn void fail_with(JSContext *context, const char *text) {
    JS_ThrowTypeError(context, "%s", text);
    fail(context);
}

/* Runs the pending jobs of promises. */
static void run_jobs(JSRuntime *runtime) {
    JSContext *context;
    int ran;
    while ((ran = JS_ExecutePendingJob(runtime, &context)) > 0) {}
    if (ran < 0) fail(context);
}

/* `judgeLog` and the methods of `console`: arguments with spaces between them, and a line feed. */
static JSValue host_log(JSContext *context, JSValueConst self, int count, JSValueConst *values) {
    (void)self;
    for (int i = 0; i < count; i++) {
        if (i > 0) write_all(2, " ", 1);
        JSValue shown = JS_UNDEFINED;
        if (JS_IsObject(values[i]) && !JS_IsError(values[i]) && !JS_IsFunction(context, values[i])) {
            shown = JS_JSONStringify(context, values[i], JS_UNDEFINED, JS_UNDEFINED);
            if (JS_IsException(shown)) JS_FreeValue(context, JS_GetException(context));
        }
        log_text(context, JS_IsString(shown) ? shown : values[i]);
        if (JS_HasException(context)) return JS_EXCEPTION;
        JS_FreeValue(context, shown);
    }
    write_all(2, "\n", 1);
    return JS_UNDEFINED;
}

/* `Math.random` */
static JSValue host_random(JSContext *context, JSValueConst self, int count, JSValueConst *values) {
    (void)self, (void)count, (void)values;
    return JS_NewFloat64(context, next_random());
}

static void set_function(JSContext *context, JSValueConst object, const char *name, JSCFunction *function) {
    JS_SetPropertyStr(context, object, name, JS_NewCFunction(context, function, name, 1));
}

static void add_globals(JSContext *context) {
    JSValue global = JS_GetGlobalObject(context);
    set_function(context, global, "judgeLog", host_log);
    set_function(context, global, "print", host_log);
    JSValue console = JS_NewObject(context);
    const char *names[] = {"log", "error", "warn", "info", "debug"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) set_function(context, console, names[i], host_log);
    JS_SetPropertyStr(context, global, "console", console);
    JSValue math = JS_GetPropertyStr(context, global, "Math");
    set_function(context, math, "random", host_random);
    JS_FreeValue(context, math);
    JS_AddPerformance(context);
    JS_FreeValue(context, global);
}

/* The name of a module of the kit, relative to another: `./` and `../` are all that it uses. */
static char *resolve_in_kit(JSContext *context, const char *from, const char *name) {
    size_t folder = (size_t)(strrchr(from, '/') - from);
    for (; strncmp(name, "../", 3) == 0; name += 3) {
        while (from[--folder] != '/') {}
    }
    if (strncmp(name, "./", 2) == 0) name += 2;
    size_t size = folder + strlen(name) + 2;
    char *found = js_malloc(context, size);
    if (found) snprintf(found, size, "%.*s/%s", (int)folder, from, name);
    return found;
}

/* `judge build` resolves the names: an import's name in a file is looked up as
 * `FILE\nNAME`, and its text is the name of the imported file. */
static char *resolve(JSContext *context, const char *from, const char *name, void *unused) {
    (void)unused;
    struct script_file link;
    if (strncmp(from, KIT, sizeof KIT - 1) == 0) return resolve_in_kit(context, from, name);
    size_t size = strlen(from) + strlen(name) + 2;
    char *key = js_malloc(context, size);
    if (!key) return NULL;
    snprintf(key, size, "%s\n%s", from, name);
    int known = script_find(files, key, &link);
    js_free(context, key);
    return js_strdup(context, known ? link.text : name);
}

static JSModuleDef *load(JSContext *context, const char *name, void *unused) {
    (void)unused;
    struct script_file file;
    if (!script_find(files, name, &file)) {
        JS_ThrowReferenceError(context, "there is no module `%s` here: a bot can import `judge-bot` and files beside it", name);
        return NULL;
    }
    JSValue module = JS_Eval(context, file.text, file.length, file.name, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    if (JS_IsException(module)) return NULL;
    JSModuleDef *definition = JS_VALUE_GET_PTR(module);
    JS_FreeValue(context, module);
    return definition;
}

/* Runs the script, which leaves its function `judgeLine`. */
static JSValue run_script(JSRuntime *runtime, JSContext *context) {
    struct script script = files;
    struct script_file main;
    if (!script_next(&script, &main)) fail_with(context, "the script is empty");
    JSValue done = JS_Eval(context, main.text, main.length, main.name, JS_EVAL_TYPE_MODULE);
    if (JS_IsException(done)) fail(context);
    run_jobs(runtime);
    JSPromiseStateEnum state = JS_PromiseState(context, done);
    if (state == JS_PROMISE_REJECTED) {
        JS_Throw(context, JS_PromiseResult(context, done));
        fail(context);
    }
    if (state == JS_PROMISE_PENDING) fail_with(context, "the script waits at its top level for what never happens");
    JS_FreeValue(context, done);
    JSValue global = JS_GetGlobalObject(context);
    JSValue line = JS_GetPropertyStr(context, global, "judgeLine");
    JS_FreeValue(context, global);
    if (!JS_IsFunction(context, line)) fail_with(context, "the script never calls `run(game, chooseMove)`");
    return line;
}

/* Passes a line to the script and prints the answer, if it gives one. */
static void answer(JSRuntime *runtime, JSContext *context, JSValueConst line, const char *text, size_t length) {
    JSValue argument = JS_NewStringLen(context, text, length);
    JSValue given = JS_Call(context, line, JS_UNDEFINED, 1, &argument);
    JS_FreeValue(context, argument);
    if (JS_IsException(given)) fail(context);
    run_jobs(runtime);
    if (!JS_IsUndefined(given) && !JS_IsNull(given)) {
        size_t size;
        const char *answer = JS_ToCStringLen(context, &size, given);
        if (!answer) fail(context);
        write_all(1, answer, size);
        write_all(1, "\n", 1);
        JS_FreeCString(context, answer);
    }
    JS_FreeValue(context, given);
}

/* Loads and runs the modules of the kit, which do nothing but define. */
static void load_kit(JSRuntime *runtime, JSContext *context) {
    struct script kit = files;
    struct script_file file;
    while (script_next(&kit, &file)) {
        JSValue done = JS_LoadModule(context, "", file.name);
        run_jobs(runtime);
        if (JS_PromiseState(context, done) == JS_PROMISE_REJECTED) {
            JS_Throw(context, JS_PromiseResult(context, done));
            fail(context);
        }
        JS_FreeValue(context, done);
    }
}

/* True while functions are compiled without their source, which only `toString` shows. */
int judge_drops_source;

static JSRuntime *runtime;
static JSContext *context;

/* Gets everything ready that is the same in all rounds. Called once, when the interpreter is built:
 * a round begins with the memory that is left here. */
__attribute__((export_name("snapshot"))) void snapshot(void) {
    unsigned char head[8];
    size_t length = script_read_head(head, MAGIC);
    unsigned char *kit = malloc(length);
    script_read(&files, kit, length);
    runtime = JS_NewRuntime();
    context = JS_NewContext(runtime);
    JS_SetMaxStackSize(runtime, SCRIPT_STACK);
    JS_SetModuleLoaderFunc(runtime, resolve, load, NULL);
    add_globals(context);
    judge_drops_source = 1;
    load_kit(runtime, context);
    judge_drops_source = 0;
    JS_RunGC(runtime);
    files = (struct script){NULL, NULL};
    memset(kit, 0, length);
    free(kit);
    clear_stack();
    script_start = script_memory_end();
}

int main(void) {
    static struct lines lines;
    if (!script_take(&files, MAGIC)) return 2;
    getentropy(&random_state, sizeof random_state);
    JS_UpdateStackTop(runtime);
    JSValue function = run_script(runtime, context);
    const char *line;
    size_t size;
    while ((line = next_line(&lines, &size))) answer(runtime, context, function, line, size);
    return 0;
}
