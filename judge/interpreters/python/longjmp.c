/* `longjmp` without exceptions. clang (`-enable-emscripten-sjlj`) makes `longjmp` a call of
 * `emscripten_longjmp`, and in functions with a `setjmp` each call a call of `invoke_…`, behind which
 * they check for a jump to them. The names are clang's. Here a jump is a note, and
 * `unwind.py` lets every function on the way return as soon as it finds the note. */

#include <stdint.h>

/* The target and the value of a jump under way. */
uint32_t __THREW__;
int __threwValue;

/* The beginning of a `jmp_buf`. */
struct mark {
    void *of;
    uint32_t label;
};

static int result;

void emscripten_longjmp(uint32_t mark, int value) {
    __THREW__ = mark;
    __threwValue = value ? value : 1;
}

void __wasm_setjmp(struct mark *mark, uint32_t label, void *of) {
    mark->of = of;
    mark->label = label;
}

uint32_t __wasm_setjmp_test(struct mark *mark, void *of) {
    return mark->of == of ? mark->label : 0;
}

void setTempRet0(int value) {
    result = value;
}

int getTempRet0(void) {
    return result;
}

static inline uint32_t stack_pointer(void) {
    uint32_t at;
    __asm__ volatile(".globaltype __stack_pointer, i32\nglobal.get __stack_pointer\nlocal.set %0" : "=r"(at));
    return at;
}

/* Functions on the way have not freed their part of the stack. */
static inline void settle(uint32_t stack) {
    if (__THREW__) __asm__ volatile("local.get %0\nglobal.set __stack_pointer" : : "r"(stack));
}

#define INVOKE(letters, types, parameters, arguments)   \
    void invoke_v##letters parameters {                 \
        uint32_t stack = stack_pointer();               \
        ((void(*) types)function)arguments;             \
        settle(stack);                                  \
    }                                                   \
    int invoke_i##letters parameters {                  \
        uint32_t stack = stack_pointer();               \
        int value = ((int(*) types)function)arguments;  \
        settle(stack);                                  \
        return value;                                   \
    }

INVOKE(, (void), (int function), ())
INVOKE(i, (int), (int function, int a), (a))
INVOKE(ii, (int, int), (int function, int a, int b), (a, b))
INVOKE(iii, (int, int, int), (int function, int a, int b, int c), (a, b, c))
INVOKE(iiii, (int, int, int, int), (int function, int a, int b, int c, int d), (a, b, c, d))
INVOKE(iiiii, (int, int, int, int, int), (int function, int a, int b, int c, int d, int e), (a, b, c, d, e))
