import unittest

from judge_bot import amazons
from judge_bot.amazons import apply, format_move, format_state, legal_moves, parse_move, parse_state

from .support import perft, vectors

# Leaves that are counted; the larger numbers of the vectors take long.
MOST_LEAVES = 130_000


class AmazonsTest(unittest.TestCase):
    def test_perft_counts_match_the_vectors(self):
        for vector in vectors("amazons", "perft"):
            for depth, count in enumerate(vector["counts"], 1):
                if count <= MOST_LEAVES:
                    self.assertEqual(perft(amazons, parse_state(vector["fen"]), depth), count)

    def test_games_reach_the_positions_of_the_vectors(self):
        for vector in vectors("amazons", "game"):
            state = parse_state(vector["start"])
            for text, count in zip(vector["moves"], vector["legal_counts_before"]):
                moves = [format_move(move) for move in legal_moves(state)]
                self.assertEqual(len(moves), count)
                self.assertIn(text, moves)
                state = apply(state, parse_move(text))
            self.assertEqual(format_state(state), vector["final"])
            self.check(state, vector["final_count"], vector["winner"])

    def test_legality_of_moves_matches_the_vectors(self):
        for vector in vectors("amazons", "legality"):
            moves = [format_move(move) for move in legal_moves(parse_state(vector["fen"]))]
            self.assertEqual(vector["move"] in moves, vector["legal"], vector["what"])

    def test_values_of_positions_match_the_vectors(self):
        for vector in vectors("amazons", "position"):
            self.check(parse_state(vector["fen"]), vector["count"], vector["winner"])

    def check(self, state, count, winner):
        self.assertEqual(len(legal_moves(state)), count)
        self.assertEqual(amazons.result(state), {None: 0, "w": 1, "b": 2}[winner])
