#!/usr/bin/env python3
"""Random games of the Amazons: OpenSpiel driven from Python against this judge's own rules.

Both play the same start to the end and draw each turn in three stages: an amazon that can move, a
square, an arrow, each evenly. Mean game lengths must agree, or they would not play the same game.
The two take turns, several times over, and the medians are compared; time is that of the processor,
so that other work on the machine does not count. Needs `pip install open_spiel` and a Rust
toolchain.

    judge/bench/compare/openspiel_amazons.py [--size 10] [--games 300] [--ours 30000] [--repeat 7]
"""

import argparse
import json
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import time

import pyspiel

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]

# Mean lengths may differ by so many standard errors: chance alone gives more once in 15,000 runs.
TOLERANCE = 4.0


def theirs(game, games, seed):
    """Lengths of the games in turns, wins of the first side, and games per second."""
    generator = random.Random(seed)
    lengths, wins = [], 0
    begin = time.process_time()
    for _ in range(games):
        state = game.new_initial_state()
        stages = 0
        while not state.is_terminal():
            state.apply_action(generator.choice(state.legal_actions()))
            stages += 1
        assert stages % 3 == 0, "a turn has three stages"
        lengths.append(stages // 3)
        wins += state.returns()[0] > 0
    return lengths, wins, games / (time.process_time() - begin)


def build():
    """The example of `judge-games`, optimised; where it lies."""
    command = ["cargo", "build", "--release", "--quiet", "-p", "judge-games"]
    command += ["--example", "random_amazons", "--message-format", "json"]
    done = subprocess.run(command, cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True)
    messages = map(json.loads, done.stdout.splitlines())
    return next(path for path in (message.get("executable") for message in messages) if path)


def ours(program, size, games, seed):
    """Number of turns, wins of the first side, and games per second, the start of the program
    included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, str(games), str(size), str(seed)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    fields = dict(pair.split("=") for pair in done.stdout.split())
    return int(fields["turns"]), int(fields["first_wins"]), games / seconds


def report(name, rates, games, mean, wins):
    print(f"{name:10} {statistics.median(rates):9.0f} games/s ({min(rates):.0f} to {max(rates):.0f})"
          f"  {mean:.2f} turns a game, first side wins {wins / games:.1%} of {games}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--games", type=int, default=300, help="games of OpenSpiel in each turn")
    parser.add_argument("--ours", type=int, default=30000, help="games of the judge in each turn")
    parser.add_argument("--repeat", type=int, default=7, help="turns of each")
    arguments = parser.parse_args()

    game, program = pyspiel.load_game("amazons", {"board_size": arguments.size}), build()
    lengths, turns, wins, rates = [], 0, [0, 0], [[], []]
    for seed in range(1, arguments.repeat + 1):
        found, won, rate = theirs(game, arguments.games, seed)
        lengths += found
        wins[0] += won
        rates[0].append(rate)
        found, won, rate = ours(program, arguments.size, arguments.ours, seed)
        turns += found
        wins[1] += won
        rates[1].append(rate)

    games = arguments.repeat * arguments.ours
    means = [statistics.mean(lengths), turns / games]
    print(f"board {arguments.size} x {arguments.size}")
    report("OpenSpiel", rates[0], len(lengths), means[0], wins[0])
    report("judge", rates[1], games, means[1], wins[1])
    print(f"ratio      {statistics.median(rates[1]) / statistics.median(rates[0]):9.1f}")

    variance = statistics.variance(lengths)
    error = (variance / len(lengths) + variance / games) ** 0.5
    if abs(means[0] - means[1]) > TOLERANCE * error:
        sys.exit(f"mean lengths differ by more than {TOLERANCE} standard errors of {error:.2f}")


if __name__ == "__main__":
    main()
