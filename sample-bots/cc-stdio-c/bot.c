/* Capturing & Conquering in plain C: reads lines, prints lines, uses no kit.
 *
 * It looks at its men one after another, the foremost first, and takes the first step that it
 * finds; if there is none, the first jump. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4097, MOST_ROWS = 16 };

/* The board of the last question: '.' empty, 'm' one of my men, 't' one of theirs. */
static char board[MOST_ROWS][MOST_ROWS];
static int size;

/* Which way my men step: +1 for seat 1, down and right; -1 for seat 2. */
static int ahead;

/* A position is a digit for the side to move, and two for each square, row by row. */
static int read_board(const char *position) {
    size_t length = strlen(position);
    for (size = 1; 1 + 2 * (size_t)(size * size) < length; size++) {
    }
    if (size > MOST_ROWS) return 0;
    ahead = position[0] == '0' ? 1 : -1;
    for (int i = 0; i < size * size; i++) {
        const char *man = position + 1 + 2 * i;
        char *square = &board[i / size][i % size];
        if (man[1] == '0')
            *square = '.';
        else
            *square = man[0] == position[0] ? 'm' : 't';
    }
    return 1;
}

static char at(int row, int column) {
    if (row < 0 || row >= size || column < 0 || column >= size) return '#';
    return board[row][column];
}

/* Prints the move; `\n` ends an answer. */
static int print_move(int row, int column, int to_row, int to_column) {
    printf("%d,%d>%d,%d\n", row, column, to_row, to_column);
    return 1;
}

/* A step: one square towards my corner. */
static int step(int row, int column) {
    static const int steps[3][2] = {{1, 1}, {1, 0}, {0, 1}};
    for (int i = 0; i < 3; i++) {
        int to_row = row + ahead * steps[i][0], to_column = column + ahead * steps[i][1];
        if (at(to_row, to_column) == '.') return print_move(row, column, to_row, to_column);
    }
    return 0;
}

/* A jump: over any man next to mine, to the empty square behind. */
static int jump(int row, int column) {
    for (int down = -1; down <= 1; down++) {
        for (int right = -1; right <= 1; right++) {
            char over = at(row + down, column + right);
            if ((down == 0 && right == 0) || (over != 'm' && over != 't')) continue;
            int to_row = row + 2 * down, to_column = column + 2 * right;
            if (at(to_row, to_column) == '.') return print_move(row, column, to_row, to_column);
        }
    }
    return 0;
}

/* Tries this kind of move with all my men, the foremost first. */
static int first(int (*kind)(int, int)) {
    for (int i = 0; i < size * size; i++) {
        int square = ahead < 0 ? i : size * size - 1 - i;
        int row = square / size, column = square % size;
        if (at(row, column) == 'm' && kind(row, column)) return 1;
    }
    return 0;
}

int main(void) {
    static char line[LONGEST + 1];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "end ", 4) == 0) break;
        /* Other lines are notices, which take no answer. */
        if (strncmp(line, "move? ", 6) != 0) continue;
        if (!read_board(line + 6)) {
            fprintf(stderr, "a board of more than %d rows\n", MOST_ROWS);
            return EXIT_FAILURE;
        }
        if (!first(step) && !first(jump)) {
            fprintf(stderr, "found no move\n");
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
