#!/usr/bin/env python3
"""Lets a program play whole rounds against the judge: `play.py JUDGE GAME ROUNDS COMMAND…`.

The program is a bot on standard input and output, in whatever language. The judge runs modules
only, so the bot's answers are handed to it as those of a person; after each of them the judge
plays the round again up to the next question. Odd seeds play seat 1.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

JUDGE, GAME, ROUNDS, *COMMAND = sys.argv[1:]


def lines_so_far(seat, seed, answers, replay):
    """The lines of the seat after these answers, and the end of the round, if it ended."""
    typed = "".join(f"{answer}\n" for answer in [*answers, "resign"])
    command = [JUDGE, "play", "human", "--game", GAME, "--seed", str(seed), "--seat", str(seat)]
    told = subprocess.run([*command, "--replay", replay], input=typed, text=True,
                          capture_output=True)
    entries = [json.loads(line) for line in pathlib.Path(replay).read_text().splitlines()]
    heard = [entry["line"] for entry in entries if entry.get("seat") == seat]
    given = [entry["answer"] for entry in entries if entry.get("seat") == seat and "answer" in entry]
    if given != answers:
        raise SystemExit(f"refused: {answers[-1]} to {heard[-1]}\n{told.stdout[-600:]}{told.stderr}")
    return heard, entries[-1]


def play(seat, seed, replay):
    bot = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    answers, known = [], 0
    while True:
        heard, last = lines_so_far(seat, seed, answers, replay)
        bot.stdin.write("".join(f"{line}\n" for line in heard[known:]))
        bot.stdin.flush()
        known = len(heard)
        if heard[-1].startswith("end "):
            bot.stdin.close()
            assert bot.wait() == 0, bot.returncode
            return f"{heard[-1]}, {len(answers)} answers, {last['outcome']['reason']}"
        answers.append(bot.stdout.readline().rstrip("\n"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        replay = str(pathlib.Path(folder) / "round.jsonl")
        for seed in range(1, int(ROUNDS) + 1):
            seat = 1 if seed % 2 else 2
            print(f"{GAME}, seed {seed}, seat {seat}: {play(seat, seed, replay)}", flush=True)


if __name__ == "__main__":
    main()
