// The least that a referee over pipes can do: it gives two programs the lines of recorded rounds and reads
// their answers, without rules.
//
//   cc -O2 referee.c -o referee && ./referee ROUNDS PROGRAM PROGRAM
//
// Each line of ROUNDS has a seat (`0` or `1`), a sign and a text: `0 text` is a notice, `0?text` a question,
// and `0=text` the answer that must follow.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct player {
    pid_t process;
    FILE *lines, *answers;
};

static void fail(const char *what) {
    fprintf(stderr, "referee: %s\n", what);
    exit(1);
}

static struct player start(const char *program) {
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) fail("no pipe");
    // The second program must not keep the pipes of the first one open.
    fcntl(to[1], F_SETFD, FD_CLOEXEC);
    fcntl(from[0], F_SETFD, FD_CLOEXEC);
    struct player player = {.process = fork()};
    if (player.process == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    player.lines = fdopen(to[1], "w");
    player.answers = fdopen(from[0], "r");
    if (player.process < 0 || !player.lines || !player.answers) fail("no process");
    return player;
}

static void end(struct player *player) {
    fclose(player->lines);
    fclose(player->answers);
    waitpid(player->process, NULL, 0);
}

int main(int count, char **words) {
    if (count != 4) fail("usage: referee ROUNDS PROGRAM PROGRAM");
    FILE *rounds = fopen(words[1], "r");
    if (!rounds) fail("the recorded rounds cannot be read");
    struct player players[2] = {start(words[2]), start(words[3])};
    char line[4096], answer[4096];
    unsigned long answers = 0;
    while (fgets(line, sizeof line, rounds)) {
        struct player *player = &players[line[0] == '1'];
        if (line[1] == '=') {
            if (!fgets(answer, sizeof answer, player->answers)) fail("a program ended");
            if (strcmp(answer, line + 2) != 0) fail("another answer than the recorded one");
            answers++;
            continue;
        }
        fputs(line + 2, player->lines);
        if (line[1] == '?') fflush(player->lines);
    }
    for (int seat = 0; seat < 2; seat++) end(&players[seat]);
    printf("%lu answers\n", answers);
    return 0;
}
