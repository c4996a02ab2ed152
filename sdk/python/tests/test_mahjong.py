import unittest

from judge_bot import mahjong
from judge_bot.mahjong import DEFAULT_RULES, Rules, distance, faan, format_tile, parse_hand

from .support import vectors


def rules(void_suit):
    return Rules(void_suit, *DEFAULT_RULES[1:])


def patterns(win):
    """The patterns by the names of the vectors."""
    names = ((win.full_flush, "Full Flush"), (win.all_triplets, "All Triplets"))
    return [name for counts, name in (*names, (win.seven_pairs, "Seven Pairs")) if counts]


class MahjongTest(unittest.TestCase):
    def test_values_of_hands_match_the_vectors(self):
        for vector in vectors("mahjong", "hand"):
            hand = parse_hand(vector["hand"])
            self.assertEqual(sum(hand), vector["tiles"])
            self.assertEqual(faan(hand), vector["faan"], vector["id"])
            self.assertEqual(faan(hand, rules(True)), vector["faan_void_suit"], vector["id"])
            self.check_win(mahjong.win_of(hand), vector)

    def check_win(self, win, vector):
        if win is None:
            self.assertEqual((vector["form"], vector["roots"]), (None, 0))
            return
        form = "seven pairs" if win.seven_pairs else "standard"
        expected = (vector["form"], vector["patterns"], vector["roots"])
        self.assertEqual((form, patterns(win), win.roots), expected, vector["id"])

    def test_hands_wait_for_the_tiles_of_the_vectors(self):
        for vector in vectors("mahjong", "waits"):
            hand, switches = parse_hand(vector["hand"]), rules(vector["void_suit"])
            found = mahjong.waits(hand, switches)
            self.assertEqual([format_tile(tile) for tile in found], vector["waits"])
            worth = {format_tile(tile): mahjong.faan_with(hand, tile, switches) for tile in found}
            self.assertEqual(worth, vector["faan"])

    def test_distances_match_the_vectors(self):
        for vector in vectors("mahjong", "distance"):
            self.assertEqual(distance(parse_hand(vector["hand"])), vector["distance"])

    def test_useful_tiles_bring_a_hand_nearer(self):
        for text, expected in (
            ("1112345678999c", "1c 2c 3c 4c 5c 6c 7c 8c 9c"),
            ("1111b456789c123d", ""),
            ("123b111c1145677d", "1d 7d"),
        ):
            useful = mahjong.useful_tiles(parse_hand(text))
            self.assertEqual(" ".join(map(format_tile, useful)), expected)

    def test_scores_of_rounds_match_the_vectors(self):
        for vector in vectors("mahjong", "round_score"):
            found = mahjong.round_score(vector["faan"], vector["wall_left"])
            self.assertEqual(found, vector["round_score"])

    def test_hands_are_written_as_they_were_read(self):
        for text in ("1478b122367c1389d", "11112345678999c", ""):
            self.assertEqual(mahjong.format_hand(parse_hand(text)), text)

    def test_every_factor_counts(self):
        switches = Rules(False, 3, 5, 7, 11)
        for text, worth in (
            ("44455b111222333c", 3),
            ("11133355577799c", 15),
            ("11112222333344d", 5 * 7 * 11**3),
        ):
            self.assertEqual(faan(parse_hand(text), switches), worth)
