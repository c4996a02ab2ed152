"""The bots of the README, as separate programs: they get recorded lines and answer legally."""

import os
import subprocess
import sys
import unittest

from judge_bot import Player, Tools

from .support import GAMES, SDK, rounds


def opening(lines, seat):
    """The lines of one seat up to its first answer: the rest would not be its own game."""
    heard = [line[2:] for line in lines if line.startswith("%d " % seat)]
    return heard[: next(at for at, line in enumerate(heard) if line.startswith("> "))]


def answers_of(name, lines):
    """The output of an example."""
    kit = SDK / "python"
    program = [sys.executable, str(kit / "examples" / (name + "_bot.py"))]
    ran = subprocess.run(
        program, input="".join(line + "\n" for line in lines), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, universal_newlines=True, check=True,
        env={**os.environ, "PYTHONPATH": str(kit)},
    )
    return ran.stdout.splitlines()


def legal_answers(game, lines):
    """The legal answers to the last of the lines."""
    legal = []

    def choose(state, _tools):
        legal[:] = map(game.format_move, game.legal_moves(state))
        return game.legal_moves(state)[0]

    player = Player(game, choose, Tools(print))
    for line in lines:
        player.line(line)
    return legal


class ExamplesTest(unittest.TestCase):
    def test_examples_answer_legally(self):
        for name, game in GAMES.items():
            for title, lines in rounds(name):
                for seat in (1, 2):
                    with self.subTest(game=name, round=title, seat=seat):
                        heard = opening(lines, seat)
                        [answer] = answers_of(name, heard)
                        self.assertIn(answer, legal_answers(game, heard))
