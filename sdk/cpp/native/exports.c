/* A program around a file with `judge_buffer` and `judge_line`: reads the judge's lines from
   standard input, calls the file, and writes its answers to standard output. */
#include <stdio.h>
#include <string.h>

enum { longest = 4096 };

extern char *judge_buffer(void);
extern int judge_line(int length);

/* The import of modules for the log. */
__attribute__((weak)) void judge_log(const char *text, int length) {
    fwrite(text, 1, (size_t)length, stderr);
}

int main(void) {
    static char line[longest + 2]; /* a line end and a terminating zero */
    char *buffer = judge_buffer();
    while (fgets(line, sizeof line, stdin)) {
        size_t length = strcspn(line, "\n");
        size_t word = strcspn(line, " \n");
        memcpy(buffer, line, length);
        int answer = judge_line((int)length);
        if (word == 0 || line[word - 1] != '?') continue;
        if (answer < 0 || answer > longest) answer = 0;
        fwrite(buffer, 1, (size_t)answer, stdout);
        putchar('\n');
        fflush(stdout);
    }
    return 0;
}
