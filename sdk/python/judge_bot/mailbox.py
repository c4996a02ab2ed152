"""Square boards of up to 16 by 16 in one array with a border around them.

A walk over the board ends at a `WALL` by itself. A square is its index, the same on boards of
every size.
"""

try:
    from typing import List
except ImportError:  # a small interpreter
    pass

# Cells from a square to the one in the next row.
STRIDE = 18

# Nothing on the square.
EMPTY = 0

# Beyond the edge of the board.
WALL = 9


def square_at(row: int, column: int) -> int:
    """The square in a row and a column, both counted from 0."""
    return (row + 1) * STRIDE + column + 1


def row_of(square: int) -> int:
    """The row of a square, from 0."""
    return square // STRIDE - 1


def column_of(square: int) -> int:
    """The column of a square, from 0."""
    return square % STRIDE - 1


def empty_board(size: int) -> bytearray:
    """An empty board with this number of rows and of columns."""
    board = bytearray([WALL] * (STRIDE * STRIDE))
    for row in range(size):
        for column in range(size):
            board[square_at(row, column)] = EMPTY
    return board


def squares_with(board: bytearray, content: int) -> "List[int]":
    """The squares with this content, row by row."""
    return [square for square, found in enumerate(board) if found == content]
