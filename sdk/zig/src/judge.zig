//! What every bot in Zig needs: the functions that the judge calls, and the log.

const host = struct {
    extern "judge" fn log(text: [*]const u8, length: usize) void;
};

/// The longest line in either direction, as in PROTOCOL.md.
const longest = 4096;

var buffer: [longest]u8 = undefined;

/// Writes a line to the bot's log.
pub fn log(text: []const u8) void {
    host.log(text.ptr, text.len);
}

/// Exports a bot. `hear` gets each line of the judge and returns the answer to a question, a line
/// whose first word ends with `?`; for other lines it returns null.
pub fn play(comptime hear: fn (line: []const u8) ?[]const u8) void {
    const exported = struct {
        fn judge_buffer() callconv(.c) [*]u8 {
            return &buffer;
        }

        fn judge_line(length: usize) callconv(.c) usize {
            const answer = hear(buffer[0..length]) orelse return 0;
            // The answer may be a part of the line.
            @memmove(buffer[0..answer.len], answer);
            return answer.len;
        }
    };
    @export(&exported.judge_buffer, .{ .name = "judge_buffer" });
    @export(&exported.judge_line, .{ .name = "judge_line" });
}
