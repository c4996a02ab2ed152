// A bot that divides by zero in its first answer, for tests of stack traces. Built by
// clang-22 --target=wasm32-unknown-unknown -O2 -g -ffile-prefix-map="$PWD"=. -nostdlib \
//     -Wl,--no-entry -Wl,-z,stack-size=16384 divides.c -o divides.wasm
static unsigned char buffer[8192];
int count;

__attribute__((noinline)) int divide(int one, int other) {
    return one / other;
}

static inline int helper(int length) {
    return divide(length, count);
}

__attribute__((noinline)) int think(int length) {
    int sum = 0;
    for (int i = 0; i < 1000; i++) sum += (i ^ length) % 7;
    return sum + helper(length);
}

__attribute__((export_name("judge_buffer"))) void *judge_buffer(void) {
    return buffer;
}

__attribute__((export_name("judge_line"))) int judge_line(int length) {
    return buffer[0] == 'm' ? think(length) : 0;
}
