// A brain.cpp as a program that reads the judge's lines from standard input and writes its answers
// to standard output, one line each. A line `game ...` starts a new round with a new brain.
#include <cstdio>
#include <cstring>

#include <unistd.h>

#include "protocol.h"

// Whether the first word of a line ends in `?`.
static bool isQuestion(const char *line) {
    std::size_t word = std::strcspn(line, " \r\n");
    return word > 0 && line[word - 1] == '?';
}

int main() {
    // What the brain itself prints goes to standard error, so that it never mixes with answers.
    std::FILE *answers = fdopen(dup(STDOUT_FILENO), "w");
    if (!answers || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1;

    judge_kit::Seat seat;
    char line[judge_kit::maxLine + 2];  // a line end and a terminating zero
    while (std::fgets(line, sizeof line, stdin)) {
        bool question = isQuestion(line);
        int answer = seat.take(line, static_cast<int>(std::strcspn(line, "\r\n")));
        if (!question) continue;
        // One line is due, if only an empty one.
        line[answer] = '\n';
        std::fwrite(line, 1, static_cast<std::size_t>(answer) + 1, answers);
        std::fflush(answers);
    }
}
