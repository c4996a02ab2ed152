/* The form that clang lowers for systems with `longjmp` in the C library: see longjmp.c. */
#ifndef JUDGE_SETJMP_H
#define JUDGE_SETJMP_H

typedef struct {
    void *of;
    unsigned label;
    int unused[6];
} jmp_buf[1];

__attribute__((returns_twice)) int setjmp(jmp_buf);
_Noreturn void longjmp(jmp_buf, int);

#endif
