"""The tiles of Mahjong.

A tile is a number: 0 to 8 are bamboo 1 to 9, then characters, then dots. A hand is how many of
each of the 27 it holds.
"""

try:
    from typing import List
except ImportError:  # a small interpreter
    pass

# Kinds of tiles.
KINDS = 27

# Tiles of each kind.
COPIES = 4

# Ranks in a suit.
RANKS = 9

# The letters of the suits.
_SUITS = "bcd"


def parse_tile(text: str) -> int:
    """Reads a tile such as `3b`."""
    return RANKS * _SUITS.index(text[1]) + int(text[0]) - 1


def format_tile(tile: int) -> str:
    """Writes a tile."""
    return str(rank_of(tile)) + _SUITS[suit_of(tile)]


def rank_of(tile: int) -> int:
    """The rank of a tile, 1 to 9."""
    return tile % RANKS + 1


def suit_of(tile: int) -> int:
    """The suit of a tile: 0 bamboo, 1 characters, 2 dots."""
    return tile // RANKS


def parse_hand(text: str) -> "List[int]":
    """Reads a hand such as `1478b122367c1389d`."""
    hand = [0] * KINDS
    ranks: "List[str]" = []
    for letter in text:
        if letter not in _SUITS:
            ranks.append(letter)
            continue
        for rank in ranks:
            hand[parse_tile(rank + letter)] += 1
        ranks = []
    return hand


def format_hand(hand: "List[int]") -> str:
    """Writes a hand."""
    text = ""
    for suit, letter in enumerate(_SUITS):
        ranks = [str(rank_of(tile)) for tile in tiles_of(hand) if suit_of(tile) == suit]
        if ranks:
            text += "".join(ranks) + letter
    return text


def tiles_of(hand: "List[int]") -> "List[int]":
    """The tiles of a hand, repeated by their number."""
    return [tile for tile, count in enumerate(hand) for _ in range(count)]


def with_tile(hand: "List[int]", tile: int) -> "List[int]":
    """The hand with one more tile."""
    after = list(hand)
    after[tile] += 1
    return after


def without_tile(hand: "List[int]", tile: int) -> "List[int]":
    """The hand with one tile less."""
    after = list(hand)
    after[tile] -= 1
    return after
