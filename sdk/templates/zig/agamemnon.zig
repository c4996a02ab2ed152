// judge: game=agamemnon
//! A bot for Agamemnon in Zig.

const std = @import("std");

/// The nodes: how many edges end there, another end of one of them, and whether a tile is there.
const Node = struct { edges: i32 = 0, neighbour: usize = 0, taken: bool = false };
var nodes: [100]Node = undefined;
/// Your letter on tiles: `O` or `B`.
var me: u8 = 'O';

/// YOUR STRATEGY: how good it is to place a tile of this kind (`a` to `j`) on this node. The best
/// empty node is taken.
fn value(kind: u8, node: usize) i32 {
    if (kind == 'i' or kind == 'j') return -nodes[node].edges;
    return nodes[node].edges;
}

/// A Weft (`i`) or Warp (`j`) was drawn: do you put it back for another tile?
fn putsBack(kind: u8) bool {
    return kind == 'i';
}

// The rest talks with the judge, which writes a line to `line` and calls `judge_line`. To write
// to your log, declare `extern "judge" fn log(text: [*]const u8, length: usize) void;`.

var line: [4096]u8 = undefined;

export fn judge_buffer() [*]u8 {
    return &line;
}

export fn judge_line(length: usize) usize {
    const text = line[0..length];
    if (std.mem.startsWith(u8, text, "game ")) {
        me = if (text[std.mem.indexOf(u8, text, "seat ").? + 5] == '1') 'O' else 'B';
    } else if (std.mem.startsWith(u8, text, "redraw? ")) {
        const word = if (putsBack(text[8])) "yes" else "no";
        @memcpy(line[0..word.len], word);
        return word.len;
    } else if (std.mem.startsWith(u8, text, "move? ")) {
        return answer(text[6..]);
    }
    return 0;
}

fn answer(question: []const u8) usize {
    var words = std.mem.tokenizeScalar(u8, question, ' ');
    var drawn: [2]u8 = undefined;
    const kinds = words.next().?;
    @memcpy(drawn[0..kinds.len], kinds);
    const tiles = words.next().?;
    const edges = words.next().?;
    nodes = @splat(.{});
    var at: usize = 0;
    while (at + 5 <= edges.len) : (at += 5) {
        const one = number(edges[at + 1 ..]);
        const two = number(edges[at + 3 ..]);
        nodes[one].edges += 1;
        nodes[two].edges += 1;
        nodes[one].neighbour = two;
        nodes[two].neighbour = one;
    }
    at = 0;
    while (at + 4 <= tiles.len) : (at += 4) nodes[number(tiles[at + 2 ..])].taken = true;
    var written: usize = 0;
    for (drawn[0..kinds.len]) |kind| written += place(kind, line[written..]);
    return written;
}

fn number(two: []const u8) usize {
    return 10 * @as(usize, two[0] - '0') + two[1] - '0';
}

fn place(kind: u8, to: []u8) usize {
    var best: ?usize = null;
    for (nodes, 0..) |node, index| {
        if (node.edges == 0 or node.taken) continue;
        if (best == null or value(kind, index) > value(kind, best.?)) best = index;
    }
    const node = best.?;
    nodes[node].taken = true;
    const placed = std.fmt.bufPrint(to, "{c}{c}{d:0>2}", .{ me, kind, node }) catch unreachable;
    if (kind != 'j') return placed.len;
    // A Warp exchanges the types of two edges at its node; the same edge twice changes nothing.
    const end = nodes[node].neighbour;
    const more = std.fmt.bufPrint(to[placed.len..], "{d:0>2}{d:0>2}", .{ end, end }) catch unreachable;
    return placed.len + more.len;
}
