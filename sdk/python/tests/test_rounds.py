"""Rounds recorded by the judge: the same legal moves and scores at every question, the same end."""

import re
import unittest

from judge_bot import Player, Random, Tools

from .support import GAMES, fingerprint, rounds


def silent(_text):
    """A log that drops its text."""


class Witness:
    """A player that is checked at every question and gives the recorded answer."""

    def __init__(self, test, game):
        self.test = test
        self.game = game
        self.player = Player(game, self.choose, Tools(silent))

    def choose(self, state, _tools):
        game = self.game
        moves = [game.format_move(move) for move in game.legal_moves(state)]
        one, two = game.score(state)
        told = "%d %s %d %d" % (len(moves), fingerprint(moves), one, two)
        self.test.assertEqual(told, self.expected, self.question)
        self.test.assertEqual(game.result(state), 0)
        return game.parse_move(self.answer)

    def ask(self, question, expected, answer):
        self.question, self.expected, self.answer = question, expected, answer
        self.test.assertEqual(self.player.line(question), answer)

    def tell(self, notice):
        self.test.assertIsNone(self.player.line(notice))
        if notice.startswith("end "):
            self.end(*notice.split(" ")[1:])

    def end(self, told, own, other):
        game, state = self.game, self.player.state
        winner = {"win": state.seat, "loss": 3 - state.seat, "draw": 3}[told]
        self.test.assertEqual(game.result(state), winner)
        # The state does not know the worth of the other side's hidden hand.
        if game.NAME == "mahjong" and told == "loss":
            return
        expected = [int(own), int(other)]
        self.test.assertEqual(game.score(state), expected if state.seat == 1 else expected[::-1])


class RoundsTest(unittest.TestCase):
    def test_recorded_rounds_replay_identically(self):
        for name, game in GAMES.items():
            for title, lines in rounds(name):
                with self.subTest(game=name, round=title):
                    self.replay(game, lines)

    def replay(self, game, lines):
        seats = [Witness(self, game), Witness(self, game)]
        questions = 0
        lines = iter(lines)
        for line in lines:
            seat, text = seats[int(line[0]) - 1], line[2:]
            if text.split(" ")[0].endswith("?"):
                seat.ask(text, next(lines)[2:], next(lines)[4:])
                questions += 1
            else:
                seat.tell(text)
        self.assertGreater(questions, 3)

    def test_moves_are_listed_in_the_referees_order(self):
        for name in ("amazons", "cc", "patchwork"):
            for title, lines in rounds(name):
                found = re.search(r"in seat (\d), random, seed (\d+)", title)
                if found:
                    with self.subTest(game=name, round=title):
                        self.plays_like_random(GAMES[name], lines, 3 - int(found[1]), int(found[2]))

    def plays_like_random(self, game, lines, seat, seed):
        tools = Tools(silent)
        # The streams of the judge's opponents are 4 and 5.
        tools.random = Random(seed, 3 + seat)
        choose = lambda state, tools: tools.random.choice(game.legal_moves(state))
        player = Player(game, choose, tools)
        heard = [line[2:] for line in lines if line.startswith("%d " % seat)]
        answers = [player.line(line) for line in heard if not line.startswith("> ")]
        expected = [line[2:] for line in heard if line.startswith("> ")]
        self.assertEqual([answer for answer in answers if answer is not None], expected)


if __name__ == "__main__":
    unittest.main()
