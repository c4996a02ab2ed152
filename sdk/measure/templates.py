#!/usr/bin/env python3
"""Grades every project of `judge new` on its game's bundled suite, and writes the table of the book.

usage: templates.py JUDGE [--check]

JUDGE is the binary. The table goes between the markers in judge/docs/book/first-bot.md. A language
without a compiler here keeps its row. With --check nothing is written.

exit code  0  the table is written, or with --check: it is as in the book
           1  with --check: the book differs, or a template passes no testcase
           2  wrong arguments
"""

import json
import pathlib
import subprocess
import sys
import tempfile

BOOK = pathlib.Path(__file__).resolve().parents[2] / "judge/docs/book/first-bot.md"
BEGIN, END = "<!-- templates -->\n", "<!-- end of templates -->\n"
LANGUAGES = {
    "cpp": "C++",
    "c": "C",
    "rust": "Rust",
    "zig": "Zig",
    "go": "Go",
    "assemblyscript": "AssemblyScript",
    "javascript": "JavaScript",
    "python": "Python",
    "wat": "WebAssembly text",
}
GAMES = {
    "mahjong": "Mahjong",
    "patchwork": "Patchwork",
    "agamemnon": "Agamemnon",
    "cc": "Capturing & Conquering",
    "amazons": "Amazons",
}
# Go's runtime needs more memory than the suites give.
NOT_ON_SUITES = {"go"}


def graded(judge, language, game, folder):
    """`3 of 8` for a new project, or None without a compiler."""
    project = folder / f"{language}-{game}"
    new = [judge, "new", project, "--game", game, "--lang", language]
    subprocess.run(new, check=True, capture_output=True)
    readme = (project / "README.md").read_text()
    source = next(line for line in readme.splitlines() if line.startswith("judge watch ")).split()[2]
    grade = [judge, "grade", source, "--json", "-"]
    ran = subprocess.run(grade, cwd=project, capture_output=True, text=True, check=False)
    if ran.returncode == 3:
        return None
    testcases = json.loads(ran.stdout)["bots"][0]["testcases"]
    passed = sum(testcase["verdict"] == "accepted" for testcase in testcases)
    return f"{passed} of {len(testcases)}"


def row(judge, language, before, folder):
    """The row of a language; the one in the book if it cannot be built here."""
    cells = [graded(judge, language, game, folder) for game in GAMES]
    if None in cells:
        print(f"{LANGUAGES[language]}: not compared, because its compiler is missing", file=sys.stderr)
        return before.get(LANGUAGES[language], "")
    return f"| {LANGUAGES[language]} | " + " | ".join(cells) + " |\n"


def table(judge, before):
    """The rows of all languages."""
    lines = [f"| passes | {' | '.join(GAMES.values())} |\n", "|---|" + "--:|" * len(GAMES) + "\n"]
    with tempfile.TemporaryDirectory() as folder:
        for language in LANGUAGES:
            if language not in NOT_ON_SUITES:
                lines.append(row(judge, language, before, pathlib.Path(folder)))
    return "".join(lines)


def main(arguments):
    """See the usage above."""
    if not arguments or arguments[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    text = BOOK.read_text()
    head, rest = text.split(BEGIN)
    old, tail = rest.split(END)
    before = {line.split(" | ")[0].strip("| "): line + "\n" for line in old.splitlines()}
    new = table(pathlib.Path(arguments[0]).resolve(), before)
    if "| 0 of" in new:
        print(new + "a template passes no testcase", file=sys.stderr)
        return 1
    if "--check" in arguments:
        if new != old:
            print(new + f"{BOOK} has another table", file=sys.stderr)
        return int(new != old)
    BOOK.write_text(head + BEGIN + new + END + tail)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
