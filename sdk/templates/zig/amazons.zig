// judge: game=amazons
//! A bot for Amazons in Zig.

const std = @import("std");

/// The board, with a border: `w` and `b` are amazons, `x` is burnt, `.` is empty, a space is
/// outside.
const wide = 18;
var board: [wide * wide]u8 = undefined;
var me: u8 = 'w';
const directions = [8]isize{ 1, -1, wide, -wide, wide + 1, -wide - 1, wide - 1, 1 - wide };

const Move = struct { from: usize, to: usize, arrow: usize };

/// Number of squares that an amazon on this square can go to.
fn reach(from: usize) i32 {
    var count: i32 = 0;
    for (directions) |direction| {
        var square = next(from, direction);
        while (board[square] == '.') : (square = next(square, direction)) count += 1;
    }
    return count;
}

/// YOUR STRATEGY: how good this move is. The best one is played. The board is as after the move.
fn value(move: Move) i32 {
    return reach(move.to);
}

// The rest talks with the judge, which writes a line to `line` and calls `judge_line`. To write
// to your log, declare `extern "judge" fn log(text: [*]const u8, length: usize) void;`.

var line: [4096]u8 = undefined;

export fn judge_buffer() [*]u8 {
    return &line;
}

export fn judge_line(length: usize) usize {
    const text = line[0..length];
    if (!std.mem.startsWith(u8, text, "move? ")) return 0;
    readBoard(text[6..]);
    best_value = -1_000_000;
    for (0..board.len) |square| {
        if (board[square] == me) movesOf(square);
    }
    const written = std.fmt.bufPrint(&line, "{c}{d}-{c}{d}/{c}{d}", .{
        column(best.from), best.from / wide, column(best.to),
        best.to / wide,    column(best.arrow), best.arrow / wide,
    }) catch unreachable;
    return written.len;
}

var best: Move = undefined;
var best_value: i32 = 0;

fn next(square: usize, direction: isize) usize {
    return @intCast(@as(isize, @intCast(square)) + direction);
}

fn column(square: usize) u8 {
    return 'a' + @as(u8, @intCast(square % wide)) - 1;
}

/// The moves of an amazon: each way to go, and from there each way to shoot.
fn movesOf(from: usize) void {
    for (directions) |go| {
        var to = next(from, go);
        while (board[to] == '.') : (to = next(to, go)) {
            board[from] = '.';
            for (directions) |shoot| {
                var arrow = next(to, shoot);
                while (board[arrow] == '.') : (arrow = next(arrow, shoot)) {
                    consider(.{ .from = from, .to = to, .arrow = arrow });
                }
            }
            board[from] = me;
        }
    }
}

fn consider(move: Move) void {
    board[move.to] = me;
    board[move.arrow] = 'x';
    const found = value(move);
    board[move.arrow] = '.';
    board[move.to] = '.';
    if (found > best_value) {
        best_value = found;
        best = move;
    }
}

fn readBoard(text: []const u8) void {
    board = @splat(' ');
    const end = std.mem.indexOfScalar(u8, text, ' ').?;
    me = text[end + 1];
    var at = (std.mem.count(u8, text[0..end], "/") + 1) * wide + 1;
    var empty: usize = 0;
    for (text[0 .. end + 1]) |letter| {
        if (letter >= '0' and letter <= '9') {
            empty = 10 * empty + letter - '0';
            continue;
        }
        @memset(board[at..][0..empty], '.');
        at += empty;
        empty = 0;
        if (letter == '/') {
            at = (at / wide - 1) * wide + 1;
        } else if (letter != ' ') {
            board[at] = letter;
            at += 1;
        }
    }
}
