// judge: game=mahjong
static char line[4096];
static char drawn[2];
__attribute__((export_name("judge_buffer"))) char *judge_buffer(void) { return line; }
__attribute__((export_name("judge_line"))) int judge_line(int length) {
    (void)length;
    if (line[0] == 'd' && line[1] == 'r') { drawn[0] = line[5]; drawn[1] = line[6]; }
    else if (line[0] == 'd') { line[0] = drawn[0]; line[1] = drawn[1]; return 2; }
    else if (line[0] == 'w') { line[0] = 'y', line[1] = 'e', line[2] = 's'; return 3; }
    return 0;
}
