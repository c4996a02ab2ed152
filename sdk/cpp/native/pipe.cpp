// A brain.cpp as a program that reads the judge's lines from standard input and writes its answers
// to standard output, one line each. A line `game ...` starts a new round with a new brain.
#include <cstdio>
#include <cstring>

#include <unistd.h>

#include "protocol.h"

int main() {
    // What the brain itself prints goes to standard error, so that it never mixes with answers.
    std::FILE *answers = fdopen(dup(STDOUT_FILENO), "w");
    if (!answers || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1;

    judge_kit::Seat seat;
    char line[judge_kit::maxLine + 2];  // a line end and a terminating zero
    while (std::fgets(line, sizeof line, stdin)) {
        int length = static_cast<int>(std::strcspn(line, "\r\n"));
        bool question = static_cast<const char *>(std::memchr(line, '?', static_cast<std::size_t>(length))) != nullptr;
        int answer = seat.take(line, length);
        if (!question) continue;
        // An answer is due even when there is none: an empty line.
        line[answer] = '\n';
        std::fwrite(line, 1, static_cast<std::size_t>(answer) + 1, answers);
        std::fflush(answers);
    }
}
