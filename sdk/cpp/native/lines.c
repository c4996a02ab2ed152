/* Standard output that leaves line by line, as in a module: a pipe would otherwise keep the answers
   of a program that does not flush. */
#include <stdio.h>

__attribute__((constructor)) static void judge_print_by_lines(void) {
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}
