// Compiles the student's file, unchanged, and finds the class that it defines: there is no factory
// function. Only this file sees the student's macros and names, so the student's file comes last
// and this one is short.
#include <new>

#include "entry.h"

#include JUDGE_KIT_SOURCE

// A static place instead of the heap: a brain that allocates nothing needs no allocator.
alignas(JUDGE_KIT_CLASS) static unsigned char judgeKitRoom[sizeof(JUDGE_KIT_CLASS)];
static judge_kit::Player *judgeKitPlayer = nullptr;

judge_kit::Player *judge_kit::renewPlayer() {
    if (judgeKitPlayer) {
        judgeKitPlayer->~JUDGE_KIT_BASE();
        // A member that the class forgets to initialise is 0 in every round, not only in the
        // first. The compiler must not take the bytes for dead, hence the barrier.
        __builtin_memset(judgeKitRoom, 0, sizeof judgeKitRoom);
        __asm__ volatile("" ::: "memory");
    }
    judgeKitPlayer = ::new (static_cast<void *>(judgeKitRoom)) JUDGE_KIT_CLASS;
    return judgeKitPlayer;
}

#if !defined(__wasm__)
judge_kit::Player *judge_kit::newPlayer() {
    void *room = ::operator new(sizeof(JUDGE_KIT_CLASS));
    __builtin_memset(room, 0, sizeof(JUDGE_KIT_CLASS));
    __asm__ volatile("" ::: "memory");
    return ::new (room) JUDGE_KIT_CLASS;
}
#endif
