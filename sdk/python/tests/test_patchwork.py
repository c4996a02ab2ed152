import unittest

from judge_bot import patchwork
from judge_bot.patchwork import apply, legal_moves, parse_moves, parse_state, result, score

from .support import perft, vectors

MOST_LEAVES = 5_000


def at(vector, placement=None):
    moves = vector["placement"] if placement is None else placement
    return parse_state(vector["circle"] + " " + (moves or "-"))


def board(side):
    """The quilt as the vectors write it."""
    squares = range(patchwork.SIDE)
    cell = lambda column, row: "#" if patchwork.is_covered(side.quilt, column, row) else "."
    return "/".join("".join(cell(column, row) for column in squares) for row in squares)


def told(state):
    """A position's fields in the vectors."""
    over = patchwork.is_over(state)
    return {
        "over": over,
        "to_move": None if over else state.turn,
        "time": [side.time for side in state.sides],
        "buttons": [side.buttons for side in state.sides],
        "income": [side.income for side in state.sides],
        "scores": score(state),
        "offered": [each.letter for each in patchwork.offer(state)],
        "special_pending": state.pending,
        "first_at_end": state.first_at_end or None,
        "winner": result(state) or None,
        "boards": [board(side) for side in state.sides],
    }


def is_legal(state, move):
    """True if a move is listed, in any spelling of its orientation."""
    if move == patchwork.ADVANCE:
        return move in legal_moves(state)
    shapes = patchwork.patch(move.patch).shapes
    return any(
        (listed.patch, listed.column, listed.row) == (move.patch, move.column, move.row)
        and shapes[listed.orientation].looks_like(shapes[move.orientation])
        for listed in legal_moves(state)
    )


class PatchworkTest(unittest.TestCase):
    def compare(self, state, expected):
        found = told(state)
        self.assertEqual({key: found[key] for key in expected}, expected)

    def test_games_reach_the_positions_of_the_vectors(self):
        for vector in vectors("patchwork", "replay"):
            self.compare(at(vector), vector["expect"])

    def test_every_move_of_the_games_is_listed_as_legal(self):
        for vector in vectors("patchwork", "replay")[:4]:
            state = at(vector, "")
            for move in parse_moves(vector["placement"]):
                self.assertTrue(is_legal(state, move), (vector["id"], move))
                state = apply(state, move)

    def test_illegal_moves_are_not_listed(self):
        for vector in vectors("patchwork", "illegal"):
            state = at(vector, "")
            *before, wrong = parse_moves(vector["placement"])[: vector["first_illegal_index"] + 1]
            for move in before:
                state = apply(state, move)
            self.assertFalse(is_legal(state, wrong), vector["reason"])

    def test_edge_cases_match_the_vectors(self):
        for vector in vectors("patchwork", "token"):
            state = at(vector)
            [move] = parse_moves(vector["token"])
            self.assertEqual(is_legal(state, move), vector["legal"], vector["what"])
            if "after" in vector:
                self.compare(apply(state, move), vector["after"])

    def test_the_number_of_moves_matches_the_vectors(self):
        for vector in vectors("patchwork", "moves"):
            self.assertEqual(len(legal_moves(at(vector))), vector["legal_canonical"])
            self.assertEqual(at(vector).turn, vector["to_move"])

    def test_perft_counts_match_the_vectors(self):
        for vector in vectors("patchwork", "perft"):
            for depth, count in enumerate(vector["counts"], 1):
                if count <= MOST_LEAVES:
                    self.assertEqual(perft(patchwork, at(vector), depth), count, vector["id"])

    def test_seven_rows_of_seven_make_a_block(self):
        block = [0] + [254] * 7 + [0]
        self.assertTrue(patchwork.has_block(block))
        self.assertFalse(patchwork.has_block(block[:7] + [126, 0]))
