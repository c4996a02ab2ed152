// judge: game=mahjong
var line: [4096]u8 = undefined;
var drawn: [2]u8 = undefined;
export fn judge_buffer() [*]u8 { return &line; }
export fn judge_line(length: u32) u32 {
    _ = length;
    if (line[0] == 'd' and line[1] == 'r') { drawn = line[5..7].*; return 0; }
    if (line[0] == 'd') { line[0..2].* = drawn; return 2; }
    if (line[0] == 'w') { line[0..3].* = "yes".*; return 3; }
    return 0;
}
