// judge: game=patchwork
// A bot for Patchwork in C.
#include <stdio.h>
#include <string.h>

// The patches, A to Z, then a to g: cost, time, income, and the rows of the shape.
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg";
static const struct patch {
    int cost, time, income;
    const char *shape;
} patches[] = {
    {2, 1, 0, "#/#"}, {1, 3, 0, ".#/##"}, {3, 1, 0, ".#/##"}, {2, 2, 0, "#/#/#"},
    {3, 2, 1, ".#/##/#."}, {2, 2, 0, "#./##/##"}, {1, 4, 1, "..#../#####/..#.."},
    {0, 3, 1, ".#./###/.#./.#."}, {6, 5, 2, "##/##"}, {4, 2, 0, "#./##/##/.#"},
    {2, 2, 0, ".#/##/.#"}, {1, 5, 1, "##/.#/.#/##"}, {3, 3, 1, "#/#/#/#"}, {7, 1, 1, "#####"},
    {3, 4, 1, "#./#./##/#."}, {7, 4, 2, "#./##/##/#."}, {3, 6, 2, ".#./###/#.#"},
    {2, 1, 0, ".#./.##/##./.#."}, {4, 6, 2, ".#/.#/##"}, {5, 4, 2, ".#./###/.#."},
    {2, 3, 0, "#.#/###/#.#"}, {5, 3, 1, ".#./###/###/.#."}, {10, 3, 2, ".#/.#/.#/##"},
    {5, 5, 2, ".#./.#./###"}, {10, 5, 3, "##/##/.#/.#"}, {1, 2, 0, "##./.#./.#./.##"},
    {4, 2, 1, "#./#./##"}, {7, 2, 2, ".#./.#./.#./###"}, {10, 4, 3, "#../##./.##"},
    {1, 2, 0, "#.#/###"}, {2, 3, 1, ".#/.#/##/#."}, {7, 6, 3, ".##/##."}, {8, 6, 3, ".##/.##/##."},
};

// The patches in the circle, and the position of the next one after the neutral token.
static char start[64], circle[64];
static int next;
// The square of each side on the track of time, and the side that moved last.
static int token[2], last;
// Special patches to lay before the next move.
static int due;
// Your buttons, your income, and your covered squares, by column and row.
static int buttons, income;
static char quilt[9][9];
// Your place in these lists: 0 or 1.
static int me;

// YOUR STRATEGY: how good it is to buy a patch. The best of the three on offer is bought, unless
// to advance is better, which is worth 1: a button for each square.
static double value(const struct patch *patch) {
    int squares = 0;
    for (const char *at = patch->shape; *at; at++) squares += *at == '#';
    return (2.0 * squares + 4 * patch->income - patch->cost) / patch->time;
}

// A special patch `h` covers one square of yours: which?
static int is_good_for_special(int column, int row) { return !quilt[column][row]; }

// Covers the squares of a shape, or only checks that they are free. The bot never turns a patch;
// if yours does (the fourth letter of a move), turn the shape here.
static int lay(const char *shape, int left, int top, int cover) {
    int column = left, row = top;
    for (; *shape; shape++) {
        if (*shape == '/') {
            column = left;
            row++;
            continue;
        }
        if (column > 8 || row > 8) return 0;
        if (*shape == '#' && cover) quilt[column][row] = 1;
        if (*shape == '#' && !cover && quilt[column][row]) return 0;
        column++;
    }
    return 1;
}

// How many sides of a shape at this place lie against a covered square or the border.
static int touches(const char *shape, int left, int top) {
    int column = left, row = top, sides = 0;
    for (; *shape; shape++, column++) {
        if (*shape == '/') {
            column = left - 1;
            row++;
        } else if (*shape == '#') {
            sides += column == 0 || quilt[column - 1][row];
            sides += column == 8 || quilt[column + 1][row];
            sides += row == 0 || quilt[column][row - 1];
            sides += row == 8 || quilt[column][row + 1];
        }
    }
    return sides;
}

// Where to lay a patch: where most of its sides touch something, so that few holes are left.
// 9 * row + column, or -1 if it fits nowhere.
static int place(const struct patch *patch) {
    int best = -1, most = -1;
    for (int at = 0; at < 81; at++) {
        if (!lay(patch->shape, at % 9, at / 9, 0)) continue;
        int sides = touches(patch->shape, at % 9, at / 9);
        if (sides <= most) continue;
        most = sides;
        best = at;
    }
    return best;
}

static void choose(void) {
    double best = 1;
    char move[5] = ".";
    int left = strlen(circle);
    for (int offer = 0; offer < 3 && offer < left; offer++) {
        char letter = circle[(next + offer) % left];
        const struct patch *patch = &patches[strchr(letters, letter) - letters];
        int at = place(patch);
        if (patch->cost > buttons || at < 0 || value(patch) <= best) continue;
        best = value(patch);
        sprintf(move, "%c%c%cA", letter, 'A' + at % 9, 'A' + at / 9);
    }
    puts(move);
}

// The rest keeps track of the game and talks with the judge. What you print to stderr is your
// log.

static void advance(int side, int to) {
    static const int specials[] = {20, 26, 32, 44, 50};
    int reached = token[0] > token[1] ? token[0] : token[1];
    if (to > 53) to = 53;
    for (int i = 0; i < 5; i++) due += specials[i] > reached && specials[i] <= to;
    // Every sixth square pays, from 5 on.
    if (side == me) buttons += income * ((to + 1) / 6 - (token[side] + 1) / 6);
    token[side] = to;
    last = side;
}

static int on_move(void) {
    if (due > 0 || token[0] == token[1]) return last;
    return token[0] < token[1] ? 0 : 1;
}

static void buy(int side, const char *move) {
    char *at = strchr(circle, move[0]);
    const struct patch *patch = &patches[strchr(letters, move[0]) - letters];
    next = at - circle;
    memmove(at, at + 1, strlen(at));
    if (!circle[next]) next = 0;
    if (side == me) {
        buttons -= patch->cost;
        income += patch->income;
        lay(patch->shape, move[1] - 'A', move[2] - 'A', 1);
    }
    advance(side, token[side] + patch->time);
}

// Plays all moves so far, from the start.
static void replay(const char *moves) {
    token[0] = token[1] = last = due = income = 0;
    buttons = 5;
    memset(quilt, 0, sizeof quilt);
    strcpy(circle, start);
    next = (strchr(circle, 'A') - circle + 1) % strlen(circle);
    while (*moves == '.' || (*moves && strchr(letters, *moves)) || *moves == 'h') {
        int side = on_move();
        if (*moves == '.') {
            int to = token[1 - side] < 53 ? token[1 - side] + 1 : 53;
            if (side == me) buttons += to - token[side];
            advance(side, to);
            moves++;
            continue;
        }
        if (*moves == 'h') {
            due--;
            if (side == me) quilt[moves[1] - 'A'][moves[2] - 'A'] = 1;
        } else {
            buy(side, moves);
        }
        moves += 4;
    }
}

static void answer(const char *moves) {
    replay(moves);
    if (due == 0) {
        choose();
        return;
    }
    for (int at = 0; at < 81; at++) {
        if (is_good_for_special(at % 9, at / 9)) {
            printf("h%c%cA\n", 'A' + at % 9, 'A' + at / 9);
            return;
        }
    }
}

int main(void) {
    static char line[4100];
    while (fgets(line, sizeof line, stdin)) {
        int seat;
        if (sscanf(line, "game patchwork seat %d", &seat) == 1) me = seat - 1;
        if (sscanf(line, "circle %63s", start) == 1) continue;
        if (strncmp(line, "move? ", 6) == 0) answer(line + 6);
    }
}
