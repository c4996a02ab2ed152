"""The tiles of Agamemnon: the kinds `a` to `j`, and how they are placed and written."""

from collections import namedtuple

from .board import format_node

try:
    from typing import List
except ImportError:  # a small interpreter
    pass

# The number of tiles of each kind that a side has.
SUPPLY = {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 3, "g": 2, "h": 1, "i": 2, "j": 2}

# The strength of each kind.
STRENGTH = {"a": 1, "b": 3, "c": 4, "d": 3, "e": 2, "f": 1, "g": 2, "h": 3, "i": 0, "j": 0}

# The kind that separates strings.
WEFT = "i"

# The kind that exchanges the types of two edges.
WARP = "j"

# Tiles that are placed in a game.
ALL_TILES = 30

# A tile that is placed; a Warp exchanges the types of the edges to the nodes `x` and `y`, which
# are -1 with other kinds.
Placement = namedtuple("Placement", ("seat", "kind", "node", "x", "y"))

# The letters of the seats.
_SEATS = " OB"


def parse_placements(text: str) -> "List[Placement]":
    """Reads placements that follow each other without a space."""
    placements = []
    while text:
        length = 8 if text[1] == WARP else 4
        placements.append(_parse_placement(text[:length]))
        text = text[length:]
    return placements


def _parse_placement(text: str) -> Placement:
    x, y = (int(text[4:6]), int(text[6:8])) if text[1] == WARP else (-1, -1)
    return Placement(_SEATS.index(text[0]), text[1], int(text[2:4]), x, y)


def format_placement(placement: Placement) -> str:
    """Writes a placement such as `Ob10`, a Warp as `Oj151020`."""
    if placement.kind != WARP:
        return format_tile(placement)
    return format_tile(placement) + format_node(placement.x) + format_node(placement.y)


def format_tile(placement: Placement) -> str:
    """Writes a tile and its node, as in the tile string."""
    return _SEATS[placement.seat] + placement.kind + format_node(placement.node)
