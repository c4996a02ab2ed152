// The end of a bot after a failure: it traps, and the judge reports a runtime error. If the program
// prints in any case (see log.cpp), a line in the log gives the reason.
//
// Everything here is weak: a C++ library that brings its own version keeps it.
#include <cstddef>
#include <cstring>
#include <typeinfo>

#if __has_include(<__verbose_abort>)
#include <__verbose_abort>
#endif

#include "system.h"

#define WEAK __attribute__((weak))

void (*judge_kit_log)(const char *, int) = nullptr;
void (*judge_kit_flush)() = nullptr;

namespace {

void say(const char *text) {
    if (judge_kit_log) judge_kit_log(text, static_cast<int>(std::strlen(text)));
}

[[noreturn]] void fail(const char *what, const char *which) {
    if (judge_kit_flush) judge_kit_flush();
    say(what);
    say(which);
    say("\n");
    __builtin_trap();
}

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
[[noreturn]] WEAK void __cxa_throw(void *, std::type_info *type, void (*)(void *)) {
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
