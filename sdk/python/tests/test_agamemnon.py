import unittest

from judge_bot import agamemnon
from judge_bot.agamemnon import apply, format_move, legal_moves, parse_move, parse_state, score

from .support import vectors

# More than the moves of any turn.
ALL = 10**6


def at(vector, drawn=""):
    return parse_state(" ".join([drawn or "-", vector.get("tiles") or "-", vector["edges"]]))


def listed(state):
    return [format_move(move) for move in legal_moves(state, ALL)]


def told(state):
    """Strings in the form of the vectors."""
    node = "{:02}".format
    ends = lambda edge: "".join(map(node, state.board.ends[edge]))
    return sorted(
        (each.type, sorted(map(ends, each.edges)), [None, "O", "B"][each.winner], len(each.edges))
        for each in agamemnon.strings(state)
    )


def perft(state, draws):
    asked = state.asked("move", draws[0])
    if len(draws) == 1:
        return len(legal_moves(asked, ALL))
    return sum(perft(apply(asked, move), draws[1:]) for move in legal_moves(asked, ALL))


class AgamemnonTest(unittest.TestCase):
    def test_scores_match_the_vectors(self):
        compared = 0
        for vector in vectors("agamemnon", "score"):
            state = at(vector)
            self.assertEqual(score(state), vector["scores"], vector["id"])
            for expected in filter(None, [vector.get("strings_touched")]):
                keys = ("type", "edges", "winner", "points")
                rows = [tuple(each[key] for key in keys) for each in expected]
                rows = sorted((type_, sorted(edges), *rest) for type_, edges, *rest in rows)
                self.assertEqual(told(state), rows, vector["id"])
                compared += 1
        self.assertGreater(compared, 10)

    def test_games_reach_the_positions_of_the_vectors(self):
        for vector in vectors("agamemnon", "game"):
            state = at(vector)
            for text in vector["actions"]:
                move = parse_move(text)
                drawn = "".join(placement.kind for placement in move.placements)
                self.assertIn(text, listed(state.asked("move", drawn)))
                state = apply(state, move)
            expected = "- %s %s" % (vector["final_tiles"], vector["final_edges"])
            self.assertEqual(agamemnon.format_state(state), expected)
            self.assertEqual(score(state), vector["scores"])
            self.assertNotEqual(agamemnon.result(state), 0)

    def test_actions_change_edges_as_in_the_vectors(self):
        for vector in vectors("agamemnon", "apply"):
            state = apply(at(vector), parse_move(vector["action"]))
            expected = "- %s %s" % (vector["tiles_after"], vector["edges_after"])
            self.assertEqual(agamemnon.format_state(state), expected, vector["id"])

    def test_the_number_of_actions_matches_the_vectors(self):
        for vector in vectors("agamemnon", "action_count"):
            found = listed(at(vector, vector["drawn"]))
            self.assertEqual(len(found), vector["action_strings"], vector["id"])
            self.assertEqual(len(set(found)), len(found))

    def test_perft_counts_match_the_vectors(self):
        for vector in vectors("agamemnon", "perft"):
            for depth, count in enumerate(vector["counts"], 1):
                if count < 60_000:
                    self.assertEqual(perft(at(vector), vector["draws"][:depth]), count)

    def test_bags_match_the_vectors(self):
        for vector in vectors("agamemnon", "draw"):
            state = at({**vector, "edges": agamemnon.STANDARD_EDGES})
            seat = "OB".index(vector["player"]) + 1
            left = {kind: count for kind, count in agamemnon.bag(state, seat).items() if count}
            self.assertEqual(left, vector["bag"])
            self.assertEqual(agamemnon.turn(state), seat)

    def test_legality_of_actions_matches_the_vectors(self):
        for vector in vectors("agamemnon", "action_valid"):
            kinds = [placement.kind for placement in self.placements(vector["action"])]
            state = at(vector, "".join(kinds))
            legal = self.can_be_drawn(state, kinds) and vector["action"] in listed(state)
            self.assertEqual(legal, vector["valid"], vector["id"])

    def placements(self, text):
        try:
            return parse_move(text).placements
        except (IndexError, ValueError):  # cut off in the middle of a placement
            return ()

    def can_be_drawn(self, state, kinds):
        """True if the judge could draw these tiles now."""
        left = agamemnon.bag(state, agamemnon.turn(state))
        supplied = all(kinds.count(kind) <= left[kind] for kind in kinds)
        return supplied and len(kinds) == agamemnon.tiles_in_turn(state)

    def test_a_weaver_may_be_put_back(self):
        state = agamemnon.ask(at({"edges": agamemnon.STANDARD_EDGES}), ["redraw?", "i"])
        self.assertEqual(listed(state), ["no", "yes"])
        self.assertEqual(apply(state, agamemnon.YES).tiles, "")
