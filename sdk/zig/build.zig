//! The module `judge` of the package, and the build of a bot.

const std = @import("std");

pub fn build(b: *std.Build) void {
    _ = b.addModule("judge", .{ .root_source_file = b.path("src/judge.zig") });
}

/// A bot with this source, for a memory of 2 MiB.
pub fn addBot(
    b: *std.Build,
    kit: *std.Build.Dependency,
    name: []const u8,
    source: std.Build.LazyPath,
) *std.Build.Step.Compile {
    const bot = b.addExecutable(.{
        .name = name,
        .root_module = b.createModule(.{
            .root_source_file = source,
            .target = b.resolveTargetQuery(.{ .cpu_arch = .wasm32, .os_tag = .freestanding }),
            .optimize = .ReleaseSafe,
            .strip = true,
            .imports = &.{.{ .name = "judge", .module = kit.module("judge") }},
        }),
    });
    bot.entry = .disabled;
    bot.rdynamic = true;
    bot.stack_size = 64 << 10;
    bot.max_memory = 2 << 20;
    return bot;
}
