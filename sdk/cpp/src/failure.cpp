// The end of a bot after a failure: it traps, and the judge reports a runtime error. If the program
// prints in any case (see log.cpp), a line in the log gives the reason.
//
// Everything here is weak: a C++ library that brings its own version keeps it.
//
// JUDGE_KIT_TELLS says more: JUDGE_KIT_TELLS_WHAT the text of an exception, JUDGE_KIT_TELLS_STDERR
// writes all of it to standard error, for programs without the kit's log.
#include <cstddef>
#include <cstring>
#include <typeinfo>

#ifdef JUDGE_KIT_TELLS_WHAT
#include <exception>
#endif
#ifdef JUDGE_KIT_TELLS_STDERR
#include <unistd.h>
#endif

#if __has_include(<__verbose_abort>)
#include <__verbose_abort>
#endif

#include "system.h"

#define WEAK __attribute__((weak))

void (*judge_kit_log)(const char *, int) = nullptr;
void (*judge_kit_flush)() = nullptr;

namespace {

void say(const char *text) {
#ifdef JUDGE_KIT_TELLS_STDERR
    if (write(2, text, std::strlen(text)) < 0) return;
#else
    if (judge_kit_log) judge_kit_log(text, static_cast<int>(std::strlen(text)));
#endif
}

[[noreturn]] void fail(const char *what, const char *which) {
    if (judge_kit_flush) judge_kit_flush();
    say(what);
    say(which);
    say("\n");
    __builtin_trap();
}

#ifdef JUDGE_KIT_TELLS_WHAT
// The C++ library's description of a class with a single base, as the compiler lays it out.
struct SingleBase {
    const void *const *functions;
    const char *name;
    const std::type_info *base;
};

// Both are null in a program that has no such class. The first word of a description points behind
// two words of its table of functions.
extern "C" const void *const singleBaseTable[]
    __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE") WEAK;
extern "C" const char exceptionType __asm__("_ZTISt9exception") WEAK;

// The text of an object, if its class is std::exception or has it as its only base, over any number
// of steps. Without type information in the kit there is no other way to ask.
const char *whatOf(const void *object, const std::type_info *type) {
    const void *const *table = singleBaseTable;
    const void *exception = &exceptionType;
    if (!exception) return nullptr;
    while (type != exception) {
        const auto *description = reinterpret_cast<const SingleBase *>(type);
        if (!table || description->functions != table + 2) return nullptr;
        type = description->base;
    }
    return static_cast<const std::exception *>(object)->what();
}
#endif

// A thrown object is built here; no handler will ever catch it.
alignas(16) char thrown[4096];

}  // namespace

extern "C" {

// Exceptions: `throw` ends the program. WebAssembly in the judge has no way to unwind.
WEAK void *__cxa_allocate_exception(std::size_t size) noexcept {
    if (size > sizeof thrown) fail("exception thrown: ", "a very large one");
    return thrown;
}
WEAK void __cxa_free_exception(void *) noexcept {}
[[noreturn]] WEAK void __cxa_throw([[maybe_unused]] void *object, std::type_info *type,
                                   void (*)(void *)) {
#ifdef JUDGE_KIT_TELLS_WHAT
    if (const char *what = whatOf(object, type)) {
        if (judge_kit_flush) judge_kit_flush();
        say("exception thrown: ");
        say(type->name());
        fail(": ", what);
    }
#endif
    fail("exception thrown: ", type->name());
}

[[noreturn]] WEAK void __cxa_pure_virtual() { fail("call of a pure virtual function", ""); }

// The C++ library's last message, without its machinery for printing it.
[[noreturn]] WEAK void abort_message(const char *format, ...) { fail(format, ""); }
[[noreturn]] WEAK void __abort_message(const char *format, ...) { fail(format, ""); }

// Destructors of globals never run: a bot does not end, it is dropped.
WEAK int __cxa_atexit(void (*)(void *), void *, void *) { return 0; }

// Null unless the program allocates.
WEAK void free(void *);

}

#ifdef _LIBCPP_VERSION
// It is noexcept only in some versions.
[[noreturn]] WEAK void std::__libcpp_verbose_abort(const char *format, ...) noexcept(
    noexcept(std::__libcpp_verbose_abort(""))) {
    fail(format, "");
}
#endif

// A virtual destructor refers to `delete` even if it is never called. These do not link the
// allocator; when the program allocates, it is there.
WEAK void operator delete(void *pointer) noexcept {
    if (free) free(pointer);
}
WEAK void operator delete(void *pointer, std::size_t) noexcept {
    if (free) free(pointer);
}
