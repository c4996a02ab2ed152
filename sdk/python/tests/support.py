"""Shared parts of the tests: the games, the recorded rounds and the referee's test vectors."""

import json
import pathlib

from judge_bot import agamemnon, amazons, cc, mahjong, patchwork

SDK = pathlib.Path(__file__).resolve().parent.parent.parent

# Every game's module.
GAMES = {game.NAME: game for game in (agamemnon, amazons, cc, mahjong, patchwork)}


def vectors(game, kind):
    """The referee's test vectors of a game, of one kind."""
    path = SDK.parent / "judge" / "games" / "src" / game / "golden" / "vectors.json"
    found = [each for each in json.loads(path.read_text())["vectors"] if each["kind"] == kind]
    assert found, kind
    return found


def rounds(game):
    """The recorded rounds of a game: `sdk/golden/record.py` says how they are written."""
    blocks = ("\n" + (SDK / "golden" / (game + ".txt")).read_text()).split("\nround ")[1:]
    for block in blocks:
        title, *lines = block.rstrip("\n").split("\n")
        yield title, lines


def fingerprint(texts):
    """FNV-1a of the sorted answers, as the recorded rounds have it."""
    hashed = 0x811C9DC5
    for byte in "\n".join(sorted(texts)).encode():
        hashed = ((hashed ^ byte) * 0x01000193) & 0xFFFFFFFF
    return "%08x" % hashed


def perft(game, state, depth):
    """The number of sequences of moves, each applied."""
    moves = game.legal_moves(state)
    if depth == 1:
        return len(moves)
    return sum(perft(game, game.apply(state, move), depth - 1) for move in moves)
