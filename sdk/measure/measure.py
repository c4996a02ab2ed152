#!/usr/bin/env python3
"""Measures what each language costs: see run.sh."""

import argparse
import json
import os
import pathlib
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import dataclass

import start_up

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# Seeds of the Mahjong rounds, and the number of the shortest and the longest that are timed.
SEEDS, TIMED = 128, 32
# Seeds of the Amazons rounds, each played from both seats, and the board.
AMAZONS_SEEDS, AMAZONS_OPTIONS = 2, {"size": "8"}
# Time per round that no bot here uses up, in judge-milliseconds.
TIME_MS = 1_000_000
# Times after which a command is not timed again, if it was timed twice, in seconds.
PATIENCE = 30
# Width at which the lines of a page are counted.
WIDTH = 100


@dataclass(frozen=True)
class Language:
    """A language as `judge new` knows it."""

    name: str
    title: str
    # The source in a new project, for `judge grade`; "" is its folder.
    source: str
    # The file in which the strategy is.
    strategy: str
    # The same strategy for Mahjong, in sdk/measure/mahjong; none if the template has it.
    mahjong: str = ""
    # The search for Amazons, in sdk/measure/amazons, if there is a kit.
    amazons: str = ""
    # The name of both in a project.
    measured: str = ""
    memory_kib: int = 2048


LANGUAGES = [
    Language("cpp", "C++", "brain.cpp", "brain.cpp", "bot.cpp", "bot.cpp", "bot.cpp"),
    Language("c", "C", "bot.c", "bot.c"),
    Language("rust", "Rust", "", "src/main.rs", amazons="rust"),
    Language("zig", "Zig", "bot.zig", "bot.zig"),
    Language("go", "Go", "", "main.go", "go/main.go", "go/main.go", "main.go", 16384),
    Language("assemblyscript", "AssemblyScript", "bot.ts", "bot.ts", "bot.ts", "bot.ts", "bot.ts"),
    Language("javascript", "JavaScript", "bot.js", "bot.js", "bot.js", "bot.js", "bot.js"),
    Language("python", "Python", "bot.py", "bot.py", "bot.py", "bot.py", "bot.py"),
    Language("wat", "WebAssembly text", "bot.wat", "bot.wat"),
]


class NoCompiler(Exception):
    """The judge finds no compiler for a language."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def source_in(folder, name):
    """A source in a project as an argument, the project itself if it has no name."""
    return str(folder / name) if name else str(folder)


class Judge:
    """The binary, with its own caches in a folder."""

    def __init__(self, binary, work):
        self.binary, self.work = str(pathlib.Path(binary).resolve()), work
        self.cache_in(work / "cache")

    def cache_in(self, folder):
        caches = {"JUDGE_CACHE": "judge", "GOCACHE": "go", "XDG_CACHE_HOME": "others"}
        self.environment = dict(os.environ)
        for variable in ("CARGO_TARGET_DIR", "ZIG_GLOBAL_CACHE_DIR", "RUSTFLAGS"):
            self.environment.pop(variable, None)
        for variable, name in caches.items():
            (folder / name).mkdir(parents=True, exist_ok=True)
            self.environment[variable] = str(folder / name)

    def run(self, *arguments):
        """The output of a command; exit code 1 is a failed testcase or a fault in the output."""
        ran = subprocess.run(
            [self.binary, *map(str, arguments)],
            cwd=self.work, env=self.environment, capture_output=True, text=True,
        )
        if "error: no compiler for " in ran.stderr:
            raise NoCompiler(ran.stderr.strip())
        if ran.returncode > 1:
            sys.exit(f"judge {' '.join(map(str, arguments))}: {ran.stderr}{ran.stdout}")
        return ran.stdout

    def json(self, *arguments):
        return json.loads(self.run(*arguments))

    def new(self, name, game, language):
        self.run("new", name, "--game", game, "--lang", language.name)
        return self.work / name


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(action):
    """Seconds of the clock and of the processor."""
    begin, begun = time.monotonic(), processor_seconds()
    action()
    return time.monotonic() - begin, processor_seconds() - begun


def least(measure, repeat):
    """The least of several measurements, of each figure by itself."""
    found, begin = [], time.monotonic()
    while len(found) < repeat and (len(found) < 2 or time.monotonic() - begin < PATIENCE):
        found.append(measure())
    return tuple(map(min, zip(*found)))


def first_bots(judge, language, repeat):
    """Seconds from `judge new` to a graded bot: at first, once more, and after a change."""
    def once(number):
        folder = judge.work / f"first-{language.name}-{number}"
        judge.cache_in(folder / "cache")

        def begin(name):
            project = judge.new(folder / name, "mahjong", language)
            grade(project)

        def grade(project):
            testcase = project / "testcase.toml"
            only = ["--testcase", testcase] if testcase.is_file() else []
            judge.run("grade", source_in(project, language.source), *only)

        figures = [*timed(lambda: begin("my-bot")), *timed(lambda: begin("other-bot"))]
        strategy = folder / "my-bot" / language.strategy
        sign = {"python": "#", "wat": ";;"}.get(language.name, "//")
        strategy.write_text(strategy.read_text() + f"\n{sign} Changed.\n")
        figures += timed(lambda: grade(folder / "my-bot"))
        shutil.rmtree(folder)
        return figures

    numbers = iter(range(repeat))
    try:
        return least(lambda: once(next(numbers)), repeat)
    finally:
        judge.cache_in(judge.work / "cache")


def page_lines(language):
    """Lines of the book's page down to the graded bot, and of the source, without empty ones."""
    page = (ROOT / "judge/docs/book/first-bot" / f"{language.name}.md").read_text()
    before, _ = page.split("\n## Change it\n")
    lines = [part for line in before.splitlines() for part in textwrap.wrap(line, WIDTH)]
    suffix = pathlib.Path(language.strategy).suffix
    source = (ROOT / "sdk/templates" / language.name / f"mahjong{suffix}").read_text()
    return len(lines), len([line for line in source.splitlines() if line.strip()])


def module_of(judge, language, game):
    """The measured bot for a game, built, and the compiler if there is one."""
    project = judge.work / f"{game}-{language.name}"
    own = getattr(language, game)
    if own == "rust":
        shutil.copytree(HERE / game / own, project)
        manifest = (project / "Cargo.toml.in").read_text()
        (project / "Cargo.toml").write_text(manifest.replace("@KIT@", str(ROOT / "sdk/rust")))
        shutil.copy(ROOT / "Cargo.lock", project)
        source = str(project)
    elif own:
        judge.new(project, game, language)
        shutil.copy(HERE / game / own, project / language.measured)
        source = str(project) if language.name == "go" else str(project / language.measured)
    else:
        judge.new(project, game, language)
        source = source_in(project, language.source)
    module = judge.work / f"{game}-{language.name}.wasm"
    told = judge.run("build", source, "-o", module)
    compiler = re.search(r", by (\S+ \S+)", told)
    return module, compiler and compiler[1]


def matched(judge, module, language, game, seeds, options):
    """The rounds with these seeds, from both seats, against `random`."""
    switches = [part for item in options.items() for part in ("--option", "=".join(item))]
    played = judge.json(
        "match", module, "random", "--game", game, "--seed", 1, "--rounds", 2 * seeds, *switches,
        "--time-ms", TIME_MS, "--memory-kib", language.memory_kib, "--jobs", 1, "--json", "-",
    )
    for row in played["rows"]:
        if row["fault"]:
            sys.exit(f"{module}: {row['fault']} in a round of {game} with seed {row['seed']}")
    return played["rows"]


def own(row, what):
    """A figure of the measured bot in a round."""
    return row[f"{what}_{row['a']}"]


def answers(judge, module, language, game, seed, seat, options):
    """The number of questions that the bot answers in a round."""
    switches = [part for item in options.items() for part in ("--option", "=".join(item))]
    told = judge.run(
        "play", module, "--game", game, "--seed", seed, "--seat", seat, "--against", "random",
        "--trace", *switches, "--time-ms", TIME_MS, "--memory-kib", language.memory_kib,
    )
    return len(re.findall(rf"^{seat}: \w+\?.* -> ", told, re.MULTILINE))


def microseconds(judge, module, language, game, seeds, options, repeat):
    """The time inside the bot, start-up included, in rounds from seat 1."""
    switches = "".join(f'{key} = "{value}"\n' for key, value in options.items())
    testcase = judge.work / "timed.toml"
    testcase.write_text(
        f'title = "Timed"\ngame = "{game}"\nopponent = "random"\nseeds = {seeds}\nmin_score = 0\n'
        f"points = 1\n\n[options]\n{switches}\n"
        f"[limits]\ntime_ms = {TIME_MS}\nmemory_kib = {language.memory_kib}\n"
    )

    def once():
        graded = judge.json("grade", module, "--testcase", testcase, "--jobs", 1, "--json", "-")
        return (graded["timing"]["bot_us"],)

    return least(once, repeat)[0]


class Same:
    """Checks that all bots for a game play the same rounds."""

    def __init__(self):
        self.courses = self.first = None

    def check(self, language, rows):
        courses = [row["course"] for row in rows]
        if self.courses is None:
            self.courses, self.first = courses, language
        if courses != self.courses:
            sys.exit(f"the bot in {language.title} does not play as the one in {self.first.title}")


def mahjong(judge, found, repeat):
    """The same bot for Mahjong in each language."""
    same, moves = Same(), {}
    for language, figures in found.items():
        say(f"{language.title}: Mahjong")
        module, figures["compiler"] = module_of(judge, language, "mahjong")
        rows = matched(judge, module, language, "mahjong", SEEDS, {})
        same.check(language, rows)
        if not moves:
            for seed in range(1, SEEDS + 1):
                moves[seed] = answers(judge, module, language, "mahjong", seed, 1, {})
        figures["module"], figures["kib"] = module, module.stat().st_size / 1024
        figures["memory"] = max(own(row, "memory") for row in rows) / 1024
        first = [row for row in rows if row["a"] == 1]
        figures["fuel"] = sum(own(row, "fuel") for row in first) / sum(moves.values())
        by_length = sorted(moves, key=lambda seed: (moves[seed], seed))
        took, lengths = [], []
        for seeds in (by_length[:TIMED], by_length[-TIMED:]):
            took.append(microseconds(judge, module, language, "mahjong", seeds, {}, repeat))
            lengths.append(sum(moves[seed] for seed in seeds))
        # Each round starts the bot again, so longer rounds take more time only for their moves.
        figures["us"] = (took[1] - took[0]) / (lengths[1] - lengths[0])
        figures["start_us"] = max(0, took[0] - lengths[0] * figures["us"]) / TIMED


def start_ups(judge, found):
    """The fuel of each start-up, as a share of what the shortest of all leaves."""
    def starts(language):
        def with_turns(turns):
            module = judge.work / "delayed.wasm"
            module.write_bytes(start_up.delayed(found[language]["module"].read_bytes(), turns))
            memory = ["--memory-kib", language.memory_kib, "--game", "mahjong"]
            fault = judge.json("check", module, *memory, "--json")["round"]["fault"]
            if fault and "starting up" not in json.dumps(fault):
                sys.exit(f"{language.title}: {fault}")
            return not fault

        return with_turns

    # WebAssembly text needs no compiler, and its bot has no start-up.
    idle = next(language for language in found if language.name == "wat")
    whole = start_up.most_turns(starts(idle), 10**8, 10)
    tenth = whole // (10 * start_up.BUDGET)
    for language, figures in found.items():
        say(f"{language.title}: start-up")
        turns = start_up.most_turns(starts(language), whole - tenth, tenth)
        left = start_up.BUDGET * turns / whole
        figures["start"] = None if turns == whole - tenth else start_up.BUDGET - left


def amazons(judge, found, repeat, absent):
    """The same search for Amazons with each kit."""
    same, moves, seeds = Same(), {}, range(1, AMAZONS_SEEDS + 1)
    for language, figures in found.items():
        if not language.amazons:
            continue
        say(f"{language.title}: Amazons")
        try:
            module, _ = module_of(judge, language, "amazons")
        except NoCompiler as missing:
            absent.append(f"{language.title} with its kit")
            say(str(missing))
            continue
        rows = matched(judge, module, language, "amazons", AMAZONS_SEEDS, AMAZONS_OPTIONS)
        same.check(language, rows)
        if not moves:
            for seat, seed in [(seat, seed) for seat in (1, 2) for seed in seeds]:
                options = AMAZONS_OPTIONS
                count = answers(judge, module, language, "amazons", seed, seat, options)
                moves[seat] = moves.get(seat, 0) + count
        figures["amazons_fuel"] = sum(own(row, "fuel") for row in rows) / sum(moves.values())
        took = microseconds(
            judge, module, language, "amazons", list(seeds), AMAZONS_OPTIONS, repeat
        )
        rounds = AMAZONS_SEEDS
        figures["amazons_us"] = (took - rounds * figures["start_us"]) / moves[1]


def rounded(value, digits=2):
    """A figure with so many digits that count."""
    if value <= 0:
        return "0"
    places = max(0, digits - len(str(int(value)))) if value >= 1 else digits
    shown = f"{round(value, places):,.{places}f}" if places else f"{round(value):,}"
    return shown


def cost(value):
    """A whole number to three digits that count."""
    digits = max(0, len(str(int(value))) - 3)
    return f"{round(value, -digits):,.0f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    print("\n".join(lines) + "\n")


def seconds(figures, at):
    clock, processor = figures["first"][at : at + 2]
    return f"{rounded(clock)} ({rounded(processor)})"


def show_languages(found):
    rows = []
    for language, figures in found.items():
        page, source = figures["lines"]
        start = figures["start"]
        rows.append([
            language.title,
            *(seconds(figures, at) for at in (0, 2, 4)),
            f"{figures['kib']:,.0f}",
            f"{figures['memory']:,.0f}",
            "< 0.1" if start is None else f"{start:.1f}",
            f"{page} + {source}",
        ])
    head = ["language", "first grade, s", "again, s", "after a change, s", "module, KiB",
            "memory, KiB", "start-up, judge-ms", "lines to read"]
    table(head, rows)
    by = [(figures["compiler"], language.title) for language, figures in found.items()]
    by = [f"{title} by {compiler}" for compiler, title in by if compiler]
    print(f"Built: {', '.join(by)}.\n")


def show_moves(found, fuel, clock):
    """Fuel and microseconds per move, and their ratio to C++."""
    measured = {language: figures for language, figures in found.items() if fuel in figures}
    base = next((figures for language, figures in measured.items() if language.name == "cpp"), None)

    def row(language, figures):
        to_base = [
            f"{rounded(figures[what] / base[what])} ×" if base else "–" for what in (fuel, clock)
        ]
        shown = cost(figures[fuel]), rounded(figures[clock])
        return [language.title, shown[0], to_base[0], shown[1], to_base[1]]

    rows = [row(language, figures) for language, figures in measured.items()]
    table(["language", "fuel per move", "to C++", "µs per move", "to C++"], rows)


def processor():
    """The name of the processor."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
        return re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)[1]
    except (OSError, TypeError):
        return platform.processor() or platform.machine()


def arguments():
    parser = argparse.ArgumentParser(prog="sdk/measure/run.sh", description=__doc__)
    parser.add_argument("judge", help="an optimised binary")
    names = [language.name for language in LANGUAGES]
    parser.add_argument("--language", action="append", choices=names, help="only these")
    parser.add_argument("--repeat", type=int, default=7, help="times are the least of so many")
    parser.add_argument("--json", type=pathlib.Path, help="write the figures to this file, too")
    return parser.parse_args()


def main():
    given = arguments()
    binary = shutil.which(given.judge)
    if not binary:
        sys.exit(f"no such program: {given.judge}")
    # Without it the others' start-up has nothing to be compared with.
    chosen = {"wat", *(given.language or [language.name for language in LANGUAGES])}
    found, absent = {}, []
    with tempfile.TemporaryDirectory(prefix="judge-measure-") as work:
        judge = Judge(binary, pathlib.Path(work))
        for language in (language for language in LANGUAGES if language.name in chosen):
            say(f"{language.title}: a first bot")
            try:
                first = first_bots(judge, language, given.repeat)
            except NoCompiler as missing:
                absent.append(language.title)
                say(str(missing))
                continue
            found[language] = {"first": first, "lines": page_lines(language)}
        mahjong(judge, found, given.repeat)
        start_ups(judge, found)
        amazons(judge, found, given.repeat, absent)
        version = judge.run("--version").strip()
    cores = os.cpu_count()
    print(f"{version}; {platform.system()}, {cores} cores of {processor()}\n")
    show_languages(found)
    print("Mahjong:\n")
    show_moves(found, "fuel", "us")
    print("Amazons:\n")
    show_moves(found, "amazons_fuel", "amazons_us")
    for title in absent:
        print(f"No compiler for {title} here: left out.")
    if given.json:
        figures = {language.name: figures for language, figures in found.items()}
        given.json.write_text(json.dumps(figures, indent=2, default=str) + "\n")


if __name__ == "__main__":
    main()
