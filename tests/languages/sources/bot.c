// judge: game=mahjong author=Ada
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[4098], drawn[3];
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "draw %2s", drawn) == 1) continue;
        if (strncmp(line, "discard?", 8) == 0) printf("%s\n", drawn);
        if (strncmp(line, "win?", 4) == 0) printf("yes\n");
    }
}
