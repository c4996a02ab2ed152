"""npm packages: one with the program for each system, and `judge-referee`, which starts the right one."""

import json

# Node's names of the systems and processors.
SYSTEMS = {
    "x86_64-unknown-linux-musl": ("linux", "x64"),
    "x86_64-unknown-linux-gnu": ("linux", "x64"),
    "aarch64-unknown-linux-musl": ("linux", "arm64"),
    "x86_64-pc-windows-gnu": ("win32", "x64"),
    "aarch64-apple-darwin": ("darwin", "arm64"),
    "x86_64-apple-darwin": ("darwin", "x64"),
}

LAUNCHER = """#!/usr/bin/env node
// Starts the judge for this system, and ends as it ends.
"use strict";
const { spawnSync } = require("node:child_process");
const program = process.platform === "win32" ? "judge.exe" : "judge";
const name = `judge-referee-${process.platform}-${process.arch}`;
let path;
try {
  path = require.resolve(`${name}/${program}`);
} catch {
  console.error(`error: no judge for this system: the package \\`${name}\\` is not installed`);
  process.exit(4);
}
const { status, signal, error } = spawnSync(path, process.argv.slice(2), { stdio: "inherit" });
if (error) throw error;
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 4);
"""


def described(name, version, **more):
    """The text of `package.json`."""
    about = {
        "name": name,
        "version": version,
        "description": "A headless referee for game-playing bots compiled to WebAssembly",
        "license": "Apache-2.0 OR MIT",
        **more,
    }
    return json.dumps(about, indent=2).encode() + b"\n"


def of_system(target, version, program, suffix, licences):
    """Name and entries of the package with the program."""
    system, processor = SYSTEMS[target]
    name = f"judge-referee-{system}-{processor}"
    about = described(name, version, os=[system], cpu=[processor])
    entries = [("package/package.json", about, 0o644), (f"package/judge{suffix}", program, 0o755)]
    return f"{name}-{version}.tgz", entries + licences


def launcher(version, licences):
    """Name and entries of the package that users install."""
    packages = sorted({f"judge-referee-{system}-{processor}" for system, processor in SYSTEMS.values()})
    more = {"bin": {"judge": "judge.cjs"}, "optionalDependencies": dict.fromkeys(packages, version)}
    entries = [
        ("package/package.json", described("judge-referee", version, **more), 0o644),
        ("package/judge.cjs", LAUNCHER.encode(), 0o755),
    ]
    return f"judge-referee-{version}.tgz", entries + licences
