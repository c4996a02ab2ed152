// judge: game=amazons
// A bot for Amazons in C.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The board, with a border: `w` and `b` are amazons, `x` is burnt, `.` is empty, ` ` is outside.
enum { WIDE = 18 };
static char board[WIDE * WIDE];
static char me;
static const int directions[8] = {1, -1, WIDE, -WIDE, WIDE + 1, -WIDE - 1, 1 - WIDE, WIDE - 1};

typedef struct {
    int from, to, arrow;
} Move;

// Number of squares that an amazon on this square can go to.
static int reach(int square) {
    int count = 0;
    for (int d = 0; d < 8; d++) {
        for (int s = square + directions[d]; board[s] == '.'; s += directions[d]) count++;
    }
    return count;
}

// YOUR STRATEGY: how good this move is. The best one is played. The board is as after the move.
static int value(Move move) { return reach(move.to); }

// The rest finds the moves and talks with the judge. What you print to stderr is your log.

static Move best;
static int best_value;

static void consider(Move move) {
    board[move.from] = '.';
    board[move.to] = me;
    board[move.arrow] = 'x';
    int found = value(move);
    board[move.arrow] = '.';
    board[move.to] = '.';
    board[move.from] = me;
    if (found > best_value) {
        best_value = found;
        best = move;
    }
}

// The moves of an amazon: each way to go, and from there each way to shoot.
static void moves_of(int from) {
    for (int d = 0; d < 8; d++) {
        for (int to = from + directions[d]; board[to] == '.'; to += directions[d]) {
            board[from] = '.';
            for (int e = 0; e < 8; e++) {
                for (int arrow = to + directions[e]; board[arrow] == '.'; arrow += directions[e]) {
                    consider((Move){from, to, arrow});
                    board[from] = '.';
                }
            }
            board[from] = me;
        }
    }
}

static void read_board(const char *text) {
    memset(board, ' ', sizeof board);
    int row = 1, column = 1;
    for (const char *p = text; *p != ' '; p++) row += *p == '/';
    for (; *text != ' '; text++) {
        if (*text == '/') {
            row--;
            column = 1;
        } else if (isdigit((unsigned char)*text)) {
            char *end;
            for (long empty = strtol(text, &end, 10); empty > 0; empty--) {
                board[row * WIDE + column++] = '.';
            }
            text = end - 1;
        } else {
            board[row * WIDE + column++] = *text;
        }
    }
    me = text[1];
}

static void answer(const char *question) {
    read_board(question);
    best_value = -1000000;
    for (int square = 0; square < WIDE * WIDE; square++) {
        if (board[square] == me) moves_of(square);
    }
    const int squares[3] = {best.from, best.to, best.arrow};
    for (int i = 0; i < 3; i++) {
        printf("%c%d%s", 'a' + squares[i] % WIDE - 1, squares[i] / WIDE, i == 0 ? "-" : i == 1 ? "/" : "\n");
    }
}

int main(void) {
    static char line[4100];
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "move? ", 6) == 0) answer(line + 6);
    }
}
