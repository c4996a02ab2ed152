#!/usr/bin/env python3
"""Writes the C++ kit as one header: `single-header.py KIT VERSION OUT`.

A bot includes it twice: at its start for the interfaces and the games, and at its end, after
`#define JUDGE_KIT_BRAIN MyBrain` or `#define JUDGE_KIT_BOT MyBot`, for the part that talks with the
judge.
"""

import pathlib
import re
import sys

KIT, VERSION, OUT = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])

INTERFACE = ["include/brain.h", "include/bot/bot.h", "include/judge/player.h", "include/judge/agamemnon.h",
             "include/judge/amazons.h", "include/judge/cc.h", "include/judge/mahjong.h",
             "include/judge/patchwork.h"]
SYSTEM = ["src/entry.cpp", "src/bot.cpp", "src/failure.cpp", "src/wasi.cpp", "src/log.cpp"]
FOLDERS = ["include", "include/bot", "src"]

HEAD = f"""// The kit of judge for C++, version {VERSION}, in one header. Licensed under Apache-2.0 or MIT, at your
// choice. Include it at the start of a bot's only file, and again at its end, after one of these lines:
//
//     #define JUDGE_KIT_BRAIN MyBrain
//     #define JUDGE_KIT_BOT MyBot
#ifndef JUDGE_KIT_INTERFACE
#define JUDGE_KIT_INTERFACE
"""

CHOICE = """
#endif  // JUDGE_KIT_INTERFACE

#if defined(__wasm__) && (defined(JUDGE_KIT_BRAIN) || defined(JUDGE_KIT_BOT))
#ifdef JUDGE_KIT_BRAIN
#define JUDGE_KIT_BASE Brain
#define JUDGE_KIT_CLASS JUDGE_KIT_BRAIN
#else
#define JUDGE_KIT_BASE Bot
#define JUDGE_KIT_CLASS JUDGE_KIT_BOT
#endif
"""

written = set()


def found(name, beside):
    """The file that an `#include "name"` in a folder means."""
    for folder in [beside, *(KIT / folder for folder in FOLDERS)]:
        if (folder / name).is_file():
            return (folder / name).resolve()
    raise SystemExit(f"error: no file `{name}`, included from `{beside}`")


def text_of(path):
    """A file with its own includes in their places, each file once."""
    path = path.resolve()
    if path in written:
        return ""
    written.add(path)
    lines = []
    for line in path.read_text().splitlines(keepends=True):
        name = re.match(r'#include "(.*)"', line)
        if name:
            lines.append(text_of(found(name[1], path.parent)))
        elif not re.match(r"#pragma once|#include JUDGE_KIT_", line):
            lines.append(line)
    return "".join(lines)


def main():
    parts = [HEAD, *(text_of(KIT / name) for name in INTERFACE), CHOICE]
    parts += [text_of(KIT / "src" / name) for name in ("entry.h", "line.h", "system.h")]
    parts += ["#ifdef JUDGE_KIT_BRAIN\n", text_of(KIT / "src/brain_seat.h"), "#else\n",
              text_of(KIT / "src/bot_seat.h"), "#endif\n"]
    parts += [text_of(KIT / name) for name in SYSTEM]
    parts.append("#endif\n")
    OUT.write_text("".join(parts))


main()
