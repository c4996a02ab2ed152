import unittest

from judge_bot import Greeting, cc
from judge_bot.cc import apply, captured, format_move, legal_moves, parse_move, result

from .support import perft, vectors

RESULTS = {None: 0, "1": 1, "2": 2, "draw": 3}


def set_up(vector):
    """The position of a vector."""
    size = vector["size"]
    cells = ["00"] * (size * size)
    for key, cell in (("p1", "01"), ("p2", "11")):
        for row, column in vector[key]:
            cells[row * size + column] = cell
    return cc.parse_state(str(vector["turn"] - 1) + "".join(cells))


def with_capture(state, move):
    """A move as the vectors write it, with the man that it takes."""
    taken = captured(state, move)
    suffix = " x%d,%d" % (cc.row_of(taken), cc.column_of(taken)) if taken else ""
    return format_move(move) + suffix


class CcTest(unittest.TestCase):
    def test_moves_match_the_vectors(self):
        listed = 0
        for vector in vectors("cc", "moves"):
            state = set_up(vector)
            self.assertEqual(result(state), RESULTS[vector["result"]], vector["id"])
            # The vectors list moves of finished positions too, which cannot be played.
            if vector["result"] is None:
                listed += self.check_moves(state, vector)
        self.assertGreater(listed, 10)

    def check_moves(self, state, vector):
        moves = legal_moves(state)
        outcomes = {(move.path[0], move.path[-1], captured(state, move)) for move in moves}
        self.assertEqual(len(moves), vector["path_count"])
        self.assertEqual(len(outcomes), vector["outcome_count"])
        if "moves" not in vector:
            return 0
        found = sorted(with_capture(state, move) for move in moves)
        self.assertEqual(found, sorted(vector["moves"]), vector["id"])
        return 1

    def test_games_reach_the_positions_of_the_vectors(self):
        for vector in vectors("cc", "game"):
            line = "game cc seat 1 size=%d opening=0 max_plies=1000" % vector["size"]
            state = cc.start(Greeting(line.split(" ")))
            for text in vector["moves"]:
                self.assertIn(text, [format_move(move) for move in legal_moves(state)])
                state = apply(state, parse_move(text))
            self.assertEqual(cc.format_state(state), cc.format_state(set_up(vector["final"])))
            self.assertEqual(result(state), RESULTS[vector["result"]])

    def test_perft_counts_match_the_vectors(self):
        for vector in vectors("cc", "perft"):
            for depth, count in enumerate(vector["paths"], 1):
                self.assertEqual(perft(cc, set_up(vector), depth), count, vector["id"])

    def test_legality_of_moves_matches_the_vectors(self):
        for vector in vectors("cc", "legality"):
            state = set_up(vector)
            moves = [format_move(move) for move in legal_moves(state)]
            self.assertEqual(vector["path"] in moves, vector["legal"], vector["what"])
            if vector["legal"]:
                taken = vector["captured"]
                expected = cc.square_at(*taken) if taken else 0
                self.assertEqual(captured(state, parse_move(vector["path"])), expected)

    def test_at_most_the_requested_number_of_moves_is_listed(self):
        state = set_up(vectors("cc", "perft")[0])
        self.assertEqual(len(legal_moves(state, 5)), 5)
