// The output of a program goes to the judge's log. Reached through fd_write only: a bot that never
// prints is linked without all of this, and then imports nothing at all.
#include <cstdint>
#include <cstdio>

#include "system.h"

extern "C" {

__attribute__((import_module("judge"), import_name("log")))
void judge_log(const char *text, int length);

}

#ifdef JUDGE_KIT_OFFER_LOG
// A constructor is always linked, and takes the import with it. So build.sh asks for this one only
// if the program prints in any case.
static void flush() { std::fflush(stdout); }

__attribute__((constructor)) static void offer() {
    judge_kit_log = judge_log;
    judge_kit_flush = flush;
}
#endif

namespace judge_kit {
// The `log` of bot.h; earlier output comes before it.
void writeLog(const char *text, std::size_t length) {
    if (judge_kit_flush) judge_kit_flush();
    judge_log(text, static_cast<int>(length));
}
}  // namespace judge_kit

extern "C" {

struct Piece {
    const char *text;
    std::uint32_t length;
};

// Standard output and standard error are one log; other files do not exist.
std::int32_t __imported_wasi_snapshot_preview1_fd_write(std::int32_t fd, std::int32_t pieces,
                                                        std::int32_t count, std::int32_t written) {
    if (fd != 1 && fd != 2) return 8;  // badf
    const Piece *piece = reinterpret_cast<const Piece *>(pieces);
    std::uint32_t total = 0;
    for (std::int32_t i = 0; i < count; ++i) {
        if (piece[i].length > 0) judge_log(piece[i].text, static_cast<int>(piece[i].length));
        total += piece[i].length;
    }
    *reinterpret_cast<std::uint32_t *>(written) = total;
    return 0;
}

}
