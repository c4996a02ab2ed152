// The system calls of wasi-libc (WASI preview 1), answered inside the module, so that a bot imports
// nothing: no files, no arguments, no environment, a clock that only moves when it is read, and a
// fixed source of randomness. fd_write is in log.cpp.
#include <cstdint>

using i32 = std::int32_t;
using i64 = std::int64_t;

namespace {

// Error numbers of WASI.
enum : i32 { success = 0, badf = 8, nosys = 52, spipe = 70 };

template <class T>
void put(i32 address, T value) {
    *reinterpret_cast<T *>(address) = value;
}

// Nanoseconds for one reading of the clock. A program that searches "until 10 ms are over" must
// come to an end, and must do so at the same place every time.
constexpr std::uint64_t tick = 100'000;
// 2022-12-01 00:00:00 UTC, the day of the lab.
constexpr std::uint64_t startOfTime = 1'669'852'800'000'000'000;
std::uint64_t elapsed = 0;

std::uint64_t randomState = 20221201;

// SplitMix64.
std::uint64_t nextRandom() {
    std::uint64_t z = randomState += 0x9e37'79b9'7f4a'7c15;
    z = (z ^ z >> 30) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ z >> 27) * 0x94d0'49bb'1331'11eb;
    return z ^ z >> 31;
}

}  // namespace

// The name under which wasi-libc imports a call; zig's own library has another one.
#define WASI(name) __imported_wasi_snapshot_preview1_##name
#define ZIG(name) __asm__(#name "|wasi_snapshot_preview1")                                        \
    __attribute__((alias("__imported_wasi_snapshot_preview1_" #name)))

#define ANSWER(error, name, ...)                                                                  \
    i32 WASI(name)(__VA_ARGS__) { return error; }                                                 \
    i32 zig_##name(__VA_ARGS__) ZIG(name);

extern "C" {

// Time.
i32 WASI(clock_time_get)(i32 clock, i64, i32 time) {
    elapsed += tick;
    put(time, clock == 0 ? startOfTime + elapsed : elapsed);
    return success;
}
i32 WASI(clock_res_get)(i32, i32 resolution) {
    put(resolution, tick);
    return success;
}

// Randomness.
i32 WASI(random_get)(i32 buffer, i32 length) {
    for (i32 i = 0; i < length; ++i) put(buffer + i, static_cast<unsigned char>(nextRandom()));
    return success;
}

// No arguments and no environment: no strings, in no bytes.
i32 WASI(args_sizes_get)(i32 count, i32 bytes) {
    put(count, 0);
    put(bytes, 0);
    return success;
}
i32 WASI(environ_sizes_get)(i32 count, i32 bytes) {
    put(count, 0);
    put(bytes, 0);
    return success;
}
ANSWER(success, args_get, i32, i32)
ANSWER(success, environ_get, i32, i32)

// Standard input is empty.
i32 WASI(fd_read)(i32 fd, i32, i32, i32 read) {
    if (fd != 0) return badf;
    put(read, 0);
    return success;
}

// 0, 1 and 2 are a terminal: a device (type 2) without the right to seek. That is how the C
// library decides to send a line off at its end.
i32 WASI(fd_fdstat_get)(i32 fd, i32 status) {
    if (fd < 0 || fd > 2) return badf;
    put(status, static_cast<std::uint64_t>(2));
    put(status + 8, static_cast<std::uint64_t>(0));
    put(status + 16, static_cast<std::uint64_t>(0));
    return success;
}
ANSWER(spipe, fd_seek, i32, i64, i32, i32)
ANSWER(spipe, fd_tell, i32, i32)
ANSWER(success, fd_close, i32)
ANSWER(success, fd_sync, i32)
ANSWER(success, fd_datasync, i32)

// The exit code of the program does not matter.
[[noreturn]] void WASI(proc_exit)(i32) { __builtin_trap(); }
ANSWER(nosys, proc_raise, i32)
ANSWER(success, sched_yield)
ANSWER(nosys, poll_oneoff, i32, i32, i32, i32)

// No files: nothing is open, and nothing can be opened.
ANSWER(badf, fd_prestat_get, i32, i32)
ANSWER(badf, fd_prestat_dir_name, i32, i32, i32)
ANSWER(badf, fd_advise, i32, i64, i64, i32)
ANSWER(badf, fd_allocate, i32, i64, i64)
ANSWER(badf, fd_fdstat_set_flags, i32, i32)
ANSWER(badf, fd_fdstat_set_rights, i32, i64, i64)
ANSWER(badf, fd_filestat_get, i32, i32)
ANSWER(badf, fd_filestat_set_size, i32, i64)
ANSWER(badf, fd_filestat_set_times, i32, i64, i64, i32)
ANSWER(badf, fd_pread, i32, i32, i32, i64, i32)
ANSWER(badf, fd_pwrite, i32, i32, i32, i64, i32)
ANSWER(badf, fd_readdir, i32, i32, i32, i64, i32)
ANSWER(badf, fd_renumber, i32, i32)
ANSWER(nosys, path_create_directory, i32, i32, i32)
ANSWER(nosys, path_filestat_get, i32, i32, i32, i32, i32)
ANSWER(nosys, path_filestat_set_times, i32, i32, i32, i32, i64, i64, i32)
ANSWER(nosys, path_link, i32, i32, i32, i32, i32, i32, i32)
ANSWER(nosys, path_open, i32, i32, i32, i32, i32, i64, i64, i32, i32)
ANSWER(nosys, path_readlink, i32, i32, i32, i32, i32, i32)
ANSWER(nosys, path_remove_directory, i32, i32, i32)
ANSWER(nosys, path_rename, i32, i32, i32, i32, i32, i32)
ANSWER(nosys, path_symlink, i32, i32, i32, i32, i32)
ANSWER(nosys, path_unlink_file, i32, i32, i32)
ANSWER(badf, sock_accept, i32, i32, i32)
ANSWER(badf, sock_recv, i32, i32, i32, i32, i32, i32)
ANSWER(badf, sock_send, i32, i32, i32, i32, i32)
ANSWER(badf, sock_shutdown, i32, i32)

}
