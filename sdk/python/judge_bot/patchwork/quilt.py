"""A quilt of 9 by 9 squares: a number for each row, with a bit for each covered column."""

from .patches import SIDE, Shape

try:
    from typing import List
except ImportError:  # a small interpreter
    pass

# Columns and rows of the block that the option `seven_by_seven` rewards.
_BLOCK = 7

# Bits of the squares in a whole row.
_ROW = (1 << SIDE) - 1

# The number of squares that are not covered, by the bits of a row.
_ZEROS = bytes(bin(_ROW & ~bits).count("1") for bits in range(_ROW + 1))


def fits(quilt: "List[int]", shape: Shape, column: int, row: int) -> bool:
    """True if a shape fits with its top left corner on a square."""
    if column + shape.width > SIDE or row + shape.height > SIDE:
        return False
    for index, bits in enumerate(shape.rows):
        if quilt[row + index] & bits << column:
            return False
    return True


def covered(quilt: "List[int]", shape: Shape, column: int, row: int) -> "List[int]":
    """The quilt with a shape on it."""
    after = list(quilt)
    for index, bits in enumerate(shape.rows):
        after[row + index] |= bits << column
    return after


def empty_squares(quilt: "List[int]") -> int:
    """The number of squares that are not covered."""
    return sum(_ZEROS[row] for row in quilt)


def is_covered(quilt: "List[int]", column: int, row: int) -> bool:
    """True if a square is covered."""
    return quilt[row] >> column & 1 == 1


def has_block(quilt: "List[int]") -> bool:
    """True if some block of 7 by 7 squares is fully covered."""
    for row in range(SIDE - _BLOCK + 1):
        common = _ROW
        for bits in quilt[row : row + _BLOCK]:
            common &= bits
        pairs = common & common >> 1
        fours = pairs & pairs >> 2
        if fours & fours >> 3:
            return True
    return False
