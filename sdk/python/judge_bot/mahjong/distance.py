"""The distance of a hand to ready.

8 - 2 melds - partners - pair over the best way to take it apart, with at most four melds and
partners and one pair; for seven pairs 6 - pairs.
"""

from .tiles import COPIES, KINDS, RANKS, with_tile

try:
    from typing import Dict, List, Optional, Tuple
except ImportError:  # a small interpreter
    pass

# Melds and partners that count.
_MOST_SETS = 4

# A profile is the most partners of a suit, by 2 * melds + pair; -1 where there is no such way.
_ENTRIES = 2 * (_MOST_SETS + 1)

# Suits whose profiles are kept; a bot's memory is small.
_MOST_KEPT = 4096

# Tiles taken from the lowest rank on, and the entries and partners that they add.
_PARTS = (
    ((3,), 2, 0),
    ((1, 1, 1), 2, 0),
    ((2,), 1, 0),
    ((2,), 0, 1),
    ((1, 1), 0, 1),
    ((1, 0, 1), 0, 1),
    ((1,), 0, 0),
)

# Profiles by the counts of a suit.
_kept: "Dict[Tuple[int, ...], List[int]]" = {}


def _profile_of(counts: "Tuple[int, ...]") -> "List[int]":
    """The profile of tiles of one suit."""
    profile = _kept.get(counts)
    if profile is None:
        profile = _taken_apart(counts)
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[counts] = profile
    return profile


def _taken_apart(counts: "Tuple[int, ...]") -> "List[int]":
    best = [-1] * _ENTRIES
    lowest = 0
    while lowest < RANKS and not counts[lowest]:
        lowest += 1
    if lowest == RANKS:
        return [0] + best[1:]
    for tiles, entry, partners in _PARTS:
        rest = _without(counts, lowest, tiles)
        if rest is not None:
            _improve(best, _profile_of(rest), entry, partners)
    return best


def _without(
    counts: "Tuple[int, ...]", lowest: int, tiles: "Tuple[int, ...]"
) -> "Optional[Tuple[int, ...]]":
    """The counts without these tiles, or None if they are not there."""
    if lowest + len(tiles) > RANKS:
        return None
    rest = list(counts)
    for index, number in enumerate(tiles):
        rest[lowest + index] -= number
        if rest[lowest + index] < 0:
            return None
    return tuple(rest)


def _improve(best: "List[int]", rest: "List[int]", entry: int, partners: int) -> None:
    """Takes over a profile's entries together with one more part."""
    for before in range(_ENTRIES - entry):
        is_second_pair = entry & before & 1
        if rest[before] >= 0 and not is_second_pair:
            best[before + entry] = max(best[before + entry], rest[before] + partners)


def _joined(one: "List[int]", other: "List[int]") -> "List[int]":
    """The profile of two suits together."""
    best = [-1] * _ENTRIES
    for entry, partners in enumerate(one):
        if partners >= 0:
            _improve(best, other, entry, partners)
    return best


def _worth(entry: int, partners: int) -> int:
    melds = entry >> 1
    return 2 * melds + min(partners, _MOST_SETS - melds) + (entry & 1)


def _ordinary(hand: "List[int]") -> int:
    bamboo, characters, dots = [
        _profile_of(tuple(hand[at : at + RANKS])) for at in range(0, KINDS, RANKS)
    ]
    together = _joined(_joined(bamboo, characters), dots)
    ways = [_worth(entry, partners) for entry, partners in enumerate(together) if partners >= 0]
    return 8 - max(ways)


def distance(hand: "List[int]") -> int:
    """The distance of a hand of 13 or 14 tiles: 0 is ready, -1 has won."""
    pairs = sum(count // 2 for count in hand)
    return min(_ordinary(hand), 6 - pairs)


def useful_tiles(hand: "List[int]") -> "List[int]":
    """The tiles that bring a hand one step nearer, without those of which it has all four."""
    now = distance(hand)
    missing = [tile for tile in range(KINDS) if hand[tile] < COPIES]
    return [tile for tile in missing if distance(with_tile(hand, tile)) < now]
