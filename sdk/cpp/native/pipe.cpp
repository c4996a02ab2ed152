// The student's file as a program that reads the judge's lines from standard input and writes its
// answers to standard output, one line each. A line `game ...` starts a new round with a new
// player.
#include <cstdio>
#include <cstring>

#include <unistd.h>

#include "line.h"
#include JUDGE_KIT_SEAT

namespace judge_kit {
// The `log` of bot.h.
void writeLog(const char *text, std::size_t length) { std::fwrite(text, 1, length, stderr); }
}  // namespace judge_kit

int main() {
    // The player's own output goes to standard error, so that it never mixes with answers.
    std::FILE *answers = fdopen(dup(STDOUT_FILENO), "w");
    if (!answers || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1;

    judge_kit::Seat seat;
    char line[judge_kit::maxLine + 2];  // a line end and a terminating zero
    while (std::fgets(line, sizeof line, stdin)) {
        int length = static_cast<int>(std::strcspn(line, "\r\n"));
        bool question = judge_kit::isQuestion(line, length);
        int answer = seat.take(line, length);
        if (!question) continue;
        // One line is due, if only an empty one. The judge refuses one that is too long.
        if (answer > judge_kit::maxLine) answer = judge_kit::maxLine;
        line[answer] = '\n';
        std::fwrite(line, 1, static_cast<std::size_t>(answer) + 1, answers);
        std::fflush(answers);
    }
}
