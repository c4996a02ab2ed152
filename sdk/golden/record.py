#!/usr/bin/env python3
"""Records the rounds that the tests of all kits read: `record.py JUDGE`.

A round is a block of lines in `GAME.txt`:

    round OPTIONS, OPPONENT, …    what was played
    1 draw 3b                     seat 1 is told or asked this
    = 13 5a3f9c01 0 0             after a question: the number of legal answers, their fingerprint
                                  (FNV-1a, 32 bits, of the sorted answers joined by line feeds),
                                  and the scores of both seats, as the judge has them
    1 > 3b                        the answer of seat 1
"""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BOTS = HERE.parent.parent / "sample-bots" / "prebuilt"

# Game, bot, its seat, opponent, seed, rule switches.
ROUNDS = [
    ("mahjong", "mahjong-distance", 1, "random", 7, []),
    ("mahjong", "mahjong-hunter", 2, "distance", 11, ["void_suit=true", "root=3", "seven_pairs=5"]),
    ("mahjong", "mahjong-hunter", 1, "straightforward", 8, ["full_flush=6", "all_triplets=3"]),
    ("mahjong", "mahjong-straightforward", 2, "distance", 3, []),
    ("patchwork", "patchwork-first-fit", 1, "random", 5, []),
    ("patchwork", "patchwork-quilter", 2, "greedy", 6, ["seven_by_seven=true"]),
    ("patchwork", "patchwork-quilter", 1, "first", 21, ["seven_by_seven=true"]),
    ("agamemnon", "agamemnon-crossroads", 2, "random", 3, []),
    ("agamemnon", "agamemnon-crossroads", 1, "random", 4, ["board=loom", "mapping=seed"]),
    ("agamemnon", "agamemnon-seer", 1, "greedy", 9, ["redraw=auto"]),
    ("cc", "cc-runner", 1, "random", 2, ["size=5", "opening=0"]),
    ("cc", "cc-flood", 2, "alphabeta", 4, []),
    ("cc", "cc-flood", 1, "random", 5, ["size=6", "max_plies=12", "opening=3"]),
    ("cc", "cc-runner", 2, "smart", 1, ["size=9", "opening=1"]),
    ("amazons", "amazons-open", 2, "random", 2, ["size=4", "opening=0"]),
    ("amazons", "amazons-hedger", 1, "greedy", 3, ["size=6"]),
    ("amazons", "amazons-surveyor", 2, "random", 1, ["opening=4"]),
    ("amazons", "amazons-open", 1, "random", 6, ["size=12", "white=l3,a1", "black=b12,k7"]),
]


def judge(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def switches(options):
    return [word for option in options for word in ("--option", option)]


def lines_of(program, game, bot, seat, opponent, seed, options, folder):
    """Every line between the judge and both seats."""
    file = pathlib.Path(folder) / "replay.jsonl"
    judge(program, "play", str(BOTS / f"{bot}.wasm"), "--game", game, "--seat", str(seat),
          "--against", opponent, "--seed", str(seed), "--replay", str(file), *switches(options))
    entries = [json.loads(line) for line in file.read_text().splitlines()]
    return [entry for entry in entries if "line" in entry]


def plies_of(program, game, bot, seat, opponent, seed, options, folder):
    """The state of the game at every question of the same round."""
    players = [str(BOTS / f"{bot}.wasm"), opponent]
    out = pathlib.Path(folder) / "recording"
    judge(program, "record", "--game", game, "--players", ",".join(players[::3 - 2 * seat]),
          "--games", "1", "--seed", str(seed), "--out", str(out), "--format", "jsonl",
          *switches(options))
    [file] = out.glob("jsonl/*.jsonl")
    return json.loads(file.read_text())["plies"]


def fingerprint(texts):
    hashed = 0x811C9DC5
    for byte in "\n".join(sorted(texts)).encode():
        hashed = ((hashed ^ byte) * 0x01000193) & 0xFFFFFFFF
    return f"{hashed:08x}"


def legal(program, game, state, options):
    """The legal answers; a position of a circle or a hidden draw needs no seed."""
    told = judge(program, "rules", "legal", state, "--game", game, "--json", *switches(options))
    return json.loads(told)["legal"]


def block(program, game, bot, seat, opponent, seed, options):
    with tempfile.TemporaryDirectory() as folder:
        entries = lines_of(program, game, bot, seat, opponent, seed, options, folder)
        plies = iter(plies_of(program, game, bot, seat, opponent, seed, options, folder))
    yield f"round {bot} in seat {seat}, {opponent}, seed {seed} {' '.join(options)}".rstrip()
    for entry in entries:
        yield f"{entry['seat']} {entry['line']}"
        if "answer" not in entry:
            continue
        ply = next(plies)
        assert ply["move"] == entry["answer"], (ply, entry)
        answers = legal(program, game, ply["state"], options)
        assert len(answers) == ply["legal"]
        yield f"= {len(answers)} {fingerprint(answers)} {ply['scores'][0]} {ply['scores'][1]}"
        yield f"{entry['seat']} > {entry['answer']}"


def main():
    program = sys.argv[1]
    for game in dict.fromkeys(each[0] for each in ROUNDS):
        blocks = [block(program, *each) for each in ROUNDS if each[0] == game]
        text = "".join(f"{line}\n" for lines in blocks for line in lines)
        (HERE / f"{game}.txt").write_text(text)


if __name__ == "__main__":
    main()
