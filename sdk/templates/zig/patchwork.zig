// judge: game=patchwork
//! A bot for Patchwork in Zig.

const std = @import("std");

/// A patch, and the rows of its shape.
const Patch = struct { i32, i32, i32, []const u8 };

/// The letters of the patches, and in the same order cost, time, income and shape.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg";
const patches = [33]Patch{
    .{ 2, 1, 0, "#/#" }, .{ 1, 3, 0, ".#/##" }, .{ 3, 1, 0, ".#/##" }, .{ 2, 2, 0, "#/#/#" },
    .{ 3, 2, 1, ".#/##/#." }, .{ 2, 2, 0, "#./##/##" }, .{ 1, 4, 1, "..#../#####/..#.." },
    .{ 0, 3, 1, ".#./###/.#./.#." }, .{ 6, 5, 2, "##/##" }, .{ 4, 2, 0, "#./##/##/.#" },
    .{ 2, 2, 0, ".#/##/.#" }, .{ 1, 5, 1, "##/.#/.#/##" }, .{ 3, 3, 1, "#/#/#/#" },
    .{ 7, 1, 1, "#####" }, .{ 3, 4, 1, "#./#./##/#." }, .{ 7, 4, 2, "#./##/##/#." },
    .{ 3, 6, 2, ".#./###/#.#" }, .{ 2, 1, 0, ".#./.##/##./.#." }, .{ 4, 6, 2, ".#/.#/##" },
    .{ 5, 4, 2, ".#./###/.#." }, .{ 2, 3, 0, "#.#/###/#.#" }, .{ 5, 3, 1, ".#./###/###/.#." },
    .{ 10, 3, 2, ".#/.#/.#/##" }, .{ 5, 5, 2, ".#./.#./###" }, .{ 10, 5, 3, "##/##/.#/.#" },
    .{ 1, 2, 0, "##./.#./.#./.##" }, .{ 4, 2, 1, "#./#./##" }, .{ 7, 2, 2, ".#./.#./.#./###" },
    .{ 10, 4, 3, "#../##./.##" }, .{ 1, 2, 0, "#.#/###" }, .{ 2, 3, 1, ".#/.#/##/#." },
    .{ 7, 6, 3, ".##/##." }, .{ 8, 6, 3, ".##/.##/##." },
};

/// The order of the patches, as the judge sent it.
var start: [33]u8 = undefined;
/// The patches left, and the position of the next one after the neutral token.
var circle: [33]u8 = undefined;
var left: usize = 33;
var next: usize = 0;
/// The square of each side on the track of time, and the side that moved last.
var token: [2]i32 = .{ 0, 0 };
var last: usize = 0;
/// Special patches to lay before the next move.
var due: usize = 0;
/// Your buttons, your income, and your covered squares, by column and row.
var buttons: i32 = 5;
var income: i32 = 0;
var quilt: [9][9]bool = @splat(@splat(false));
/// Your place in these lists: 0 or 1.
var me: usize = 0;

/// YOUR STRATEGY: how good it is to buy a patch. The best of the three on offer is bought, unless to
/// advance is better, which is worth 1: a button for each square.
fn value(patch: Patch) f64 {
    const squares: i32 = @intCast(std.mem.count(u8, patch[3], "#"));
    const gain: f64 = @floatFromInt(2 * squares + 4 * patch[2] - patch[0]);
    const time: f64 = @floatFromInt(patch[1]);
    return gain / time;
}

/// A special patch `h` covers one square of yours: which?
fn isGoodForSpecial(column: usize, row: usize) bool {
    return !quilt[column][row];
}

/// Writes a move to `line` and returns its length.
fn choose() usize {
    var best: f64 = 1;
    var length: usize = 1;
    line[0] = '.';
    for (0..@min(left, 3)) |offer| {
        const letter = circle[(next + offer) % left];
        const patch = patches[std.mem.indexOfScalar(u8, letters, letter).?];
        const at = place(patch[3]) orelse continue;
        if (patch[0] > buttons or value(patch) <= best) continue;
        best = value(patch);
        line[0..4].* = .{ letter, letters[at % 9], letters[at / 9], 'A' };
        length = 4;
    }
    return length;
}

// The rest keeps track of the game and talks with the judge, which writes a line to `line` and calls
// `judge_line`. To write to your log, declare
// `extern "judge" fn log(text: [*]const u8, length: usize) void;`.

var line: [4096]u8 = undefined;

export fn judge_buffer() [*]u8 {
    return &line;
}

export fn judge_line(length: usize) usize {
    const text = line[0..length];
    if (std.mem.startsWith(u8, text, "game ")) {
        me = text[std.mem.indexOf(u8, text, "seat ").? + 5] - '1';
    } else if (std.mem.startsWith(u8, text, "circle ")) {
        start = text[7..40].*;
    } else if (std.mem.startsWith(u8, text, "move? ")) {
        replay(text[6..]);
        return answer();
    }
    return 0;
}

fn answer() usize {
    if (due == 0) return choose();
    for (0..81) |at| {
        if (!isGoodForSpecial(at % 9, at / 9)) continue;
        line[0..4].* = .{ 'h', letters[at % 9], letters[at / 9], 'A' };
        return 4;
    }
    return 0;
}

/// Covers the squares of a shape, or only checks that they are free. The bot never turns a patch; if
/// yours does (the fourth letter of a move), turn the shape here.
fn lay(shape: []const u8, corner: usize, cover: bool) bool {
    var column = corner % 9;
    var row = corner / 9;
    for (shape) |cell| {
        if (cell == '/') {
            column = corner % 9;
            row += 1;
            continue;
        }
        if (column > 8 or row > 8) return false;
        if (cell == '#' and cover) quilt[column][row] = true;
        if (cell == '#' and !cover and quilt[column][row]) return false;
        column += 1;
    }
    return true;
}

/// How many sides of a shape lie against a covered square or the border.
fn touches(shape: []const u8, corner: usize) usize {
    var column = corner % 9;
    var row = corner / 9;
    var sides: usize = 0;
    for (shape) |cell| {
        if (cell == '/') {
            column = corner % 9;
            row += 1;
            continue;
        }
        if (cell == '#') {
            sides += @intFromBool(column == 0 or quilt[column - 1][row]);
            sides += @intFromBool(column == 8 or quilt[column + 1][row]);
            sides += @intFromBool(row == 0 or quilt[column][row - 1]);
            sides += @intFromBool(row == 8 or quilt[column][row + 1]);
        }
        column += 1;
    }
    return sides;
}

/// Where to lay a shape: where most of its sides touch something, so that few holes are left.
/// 9 * row + column of its top left corner; null if it fits nowhere.
fn place(shape: []const u8) ?usize {
    var best: ?usize = null;
    var most: usize = 0;
    for (0..81) |corner| {
        if (!lay(shape, corner, false)) continue;
        const sides = touches(shape, corner);
        if (best != null and sides <= most) continue;
        most = sides;
        best = corner;
    }
    return best;
}

fn advance(side: usize, to: i32) void {
    const reached = @max(token[0], token[1]);
    const end = @min(to, 53);
    for ([_]i32{ 20, 26, 32, 44, 50 }) |special| {
        if (special > reached and special <= end) due += 1;
    }
    // Every sixth square pays, from 5 on.
    if (side == me) buttons += income * (@divFloor(end + 1, 6) - @divFloor(token[side] + 1, 6));
    token[side] = end;
    last = side;
}

fn onMove() usize {
    if (due > 0 or token[0] == token[1]) return last;
    return if (token[0] < token[1]) 0 else 1;
}

fn buy(side: usize, move: []const u8) void {
    const patch = patches[std.mem.indexOfScalar(u8, letters, move[0]).?];
    const at = std.mem.indexOfScalar(u8, circle[0..left], move[0]).?;
    left -= 1;
    for (at..left) |to| circle[to] = circle[to + 1];
    next = if (at < left) at else 0;
    if (side == me) {
        buttons -= patch[0];
        income += patch[2];
        _ = lay(patch[3], 9 * (move[2] - 'A') + (move[1] - 'A'), true);
    }
    advance(side, token[side] + patch[1]);
}

/// Plays all moves so far, from the start.
fn replay(moves: []const u8) void {
    token = .{ 0, 0 };
    last = 0;
    due = 0;
    buttons = 5;
    income = 0;
    quilt = @splat(@splat(false));
    circle = start;
    left = circle.len;
    next = (std.mem.indexOfScalar(u8, &circle, 'A').? + 1) % left;
    var at: usize = 0;
    while (at < moves.len and moves[at] != '-') {
        const side = onMove();
        if (moves[at] == '.') {
            const to = @min(token[1 - side] + 1, 53);
            if (side == me) buttons += to - token[side];
            advance(side, to);
            at += 1;
            continue;
        }
        if (moves[at] == 'h') {
            due -= 1;
            if (side == me) quilt[moves[at + 1] - 'A'][moves[at + 2] - 'A'] = true;
        } else {
            buy(side, moves[at .. at + 4]);
        }
        at += 4;
    }
}
