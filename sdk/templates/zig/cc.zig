// judge: game=cc
//! A bot for Capturing & Conquering in Zig.

const std = @import("std");

/// The board, with a border.
const Square = enum { outside, empty, mine, theirs };
const wide = 18;
var board: [wide * wide]Square = undefined;
/// 1 if you run down and right, -1 if you run up and left.
var forward: i32 = 1;

const Move = struct { from: i32, to: i32, takes: bool };

/// YOUR STRATEGY: how good this move is. The best one is played.
fn value(move: Move) i32 {
    const run = forward * (far(move.to) - far(move.from));
    return 2 * run + @as(i32, if (move.takes) 5 else 0);
}

/// The number of rows and columns from the top left corner to a square.
fn far(square: i32) i32 {
    return row(square) + column(square);
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
    read(text[6..]);
    best_value = -1_000_000;
    for (0..board.len) |square| {
        if (board[square] == .mine) movesOf(@intCast(square));
    }
    const written = std.fmt.bufPrint(&line, "{d},{d}>{d},{d}", .{
        row(best.from), column(best.from), row(best.to), column(best.to),
    }) catch unreachable;
    return written.len;
}

var best: Move = undefined;
var best_value: i32 = 0;

fn row(square: i32) i32 {
    return @divFloor(square, wide) - 1;
}

fn column(square: i32) i32 {
    return @mod(square, wide) - 1;
}

fn at(square: i32) Square {
    return board[@intCast(square)];
}

/// Steps and single jumps; a chain, such as `0,1>2,3>2,5`, is allowed as well.
fn movesOf(from: i32) void {
    for ([_]i32{ -wide - 1, -wide, 1 - wide, -1, 1, wide - 1, wide, wide + 1 }) |way| {
        const to = from + way;
        const is_step = way * forward == 1 or way * forward == wide or way * forward == wide + 1;
        switch (at(to)) {
            .outside => {},
            .empty => if (is_step) consider(.{ .from = from, .to = to, .takes = false }),
            .mine, .theirs => if (at(to + way) == .empty) {
                consider(.{ .from = from, .to = to + way, .takes = at(to) == .theirs });
            },
        }
    }
}

fn consider(move: Move) void {
    if (value(move) <= best_value) return;
    best_value = value(move);
    best = move;
}

fn read(position: []const u8) void {
    board = @splat(.outside);
    forward = if (position[0] == '0') 1 else -1;
    var size: usize = 5;
    while (1 + 2 * size * size < position.len) size += 1;
    for (0..size * size) |square| {
        const owner = position[1 + 2 * square];
        const man = position[2 + 2 * square] == '1';
        const place = (square / size + 1) * wide + square % size + 1;
        board[place] = if (!man) .empty else if (owner == position[0]) .mine else .theirs;
    }
}
