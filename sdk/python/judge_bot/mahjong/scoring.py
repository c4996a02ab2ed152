"""Winning hands and their worth."""

from collections import namedtuple

from .tiles import COPIES, KINDS, RANKS, with_tile

try:
    from typing import List, Optional
except ImportError:  # a small interpreter
    pass

# Tiles of a hand that can win.
_WINNING = 14

# The rules of a testcase: whether a winning hand must not use all three suits, and the factors
# for four triplets and a pair, one suit, seven pairs and each four equal tiles.
Rules = namedtuple("Rules", ("void_suit", "all_triplets", "full_flush", "seven_pairs", "root"))

# The rules where a testcase says nothing else.
DEFAULT_RULES = Rules(False, 2, 4, 4, 2)

# The worth of a winning hand, and the reasons for it: Faan, whether it counts as seven pairs, as
# four triplets and a pair, whether it is of one suit, and how many tiles are there four times.
Win = namedtuple("Win", ("faan", "seven_pairs", "all_triplets", "full_flush", "roots"))


def faan(hand: "List[int]", rules: Rules = DEFAULT_RULES) -> int:
    """Faan of a hand of 14 tiles; 0 when it does not win."""
    win = win_of(hand, rules)
    return win.faan if win else 0


def faan_with(hand: "List[int]", tile: int, rules: Rules = DEFAULT_RULES) -> int:
    """Faan of a hand of 13 tiles and one more; 0 when they do not win."""
    return faan(with_tile(hand, tile), rules) if hand[tile] < COPIES else 0


def round_score(worth: int, wall_left: int) -> int:
    """The score of a round for its winner, from Faan and the tiles left in the wall."""
    return 3 * worth + wall_left if worth else 0


def win_of(hand: "List[int]", rules: Rules = DEFAULT_RULES) -> "Optional[Win]":
    """The worth of a hand in its best reading; None if it does not win."""
    suits = [hand[at : at + RANKS] for at in range(0, KINDS, RANKS)]
    lengths = [sum(suit) for suit in suits]
    used = 3 - lengths.count(0)
    if sum(lengths) != _WINNING or (rules.void_suit and used == 3):
        return None
    is_pairs = all(count % 2 == 0 for count in hand)
    is_ordinary = all(length % 3 != 1 for length in lengths) and all(map(_is_suit, suits))
    if not is_pairs and not is_ordinary:
        return None
    return _best_reading(hand, rules, is_pairs, is_ordinary, used == 1)


def _best_reading(
    hand: "List[int]", rules: Rules, is_pairs: bool, is_ordinary: bool, full_flush: bool
) -> Win:
    roots = hand.count(COPIES)
    triplets = is_ordinary and _is_all_triplets(hand)
    as_pairs = rules.seven_pairs if is_pairs else 0
    as_ordinary = (rules.all_triplets if triplets else 1) if is_ordinary else 0
    shared = (rules.full_flush if full_flush else 1) * rules.root**roots
    seven_pairs = as_pairs > as_ordinary
    worth = shared * max(as_pairs, as_ordinary)
    return Win(worth, seven_pairs, triplets and not seven_pairs, full_flush, roots)


def _is_all_triplets(hand: "List[int]") -> bool:
    return hand.count(2) == 1 and hand.count(1) == 0 and hand.count(COPIES) == 0


def _is_suit(suit: "List[int]") -> bool:
    """True if the tiles of a suit are melds, with a pair if their number asks for one."""
    if sum(suit) % 3 == 0:
        return _is_melds(list(suit))
    return any(count >= 2 and _is_melds(_without_pair(suit, rank)) for rank, count in enumerate(suit))


def _without_pair(suit: "List[int]", rank: int) -> "List[int]":
    rest = list(suit)
    rest[rank] -= 2
    return rest


def _is_melds(counts: "List[int]") -> bool:
    """True for triplets and sequences: at the lowest rank, no triplet means sequences."""
    for rank in range(RANKS):
        sequences = counts[rank] % 3
        if not sequences:
            continue
        if rank + 2 >= RANKS or min(counts[rank + 1], counts[rank + 2]) < sequences:
            return False
        counts[rank + 1] -= sequences
        counts[rank + 2] -= sequences
    return True


def waits(hand: "List[int]", rules: Rules = DEFAULT_RULES) -> "List[int]":
    """The tiles that complete a hand of 13."""
    return [tile for tile in range(KINDS) if faan_with(hand, tile, rules)]
