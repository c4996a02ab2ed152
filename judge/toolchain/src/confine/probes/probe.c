#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char line[100];
    while (fgets(line, sizeof line, stdin)) printf("%zu\n", strlen(line));
}
