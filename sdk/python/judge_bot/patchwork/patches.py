"""The patches of Patchwork, with their shapes in all orientations."""

try:
    from typing import List, Optional
except ImportError:  # a small interpreter
    pass

# Rows and columns of a quilt.
SIDE = 9

# Letter, rows from the top in orientation A, cost, time, income.
_TABLE = (
    ("A", "#/#", 2, 1, 0),
    ("B", ".#/##", 1, 3, 0),
    ("C", ".#/##", 3, 1, 0),
    ("D", "#/#/#", 2, 2, 0),
    ("E", ".#/##/#.", 3, 2, 1),
    ("F", "#./##/##", 2, 2, 0),
    ("G", "..#../#####/..#..", 1, 4, 1),
    ("H", ".#./###/.#./.#.", 0, 3, 1),
    ("I", "##/##", 6, 5, 2),
    ("J", "#./##/##/.#", 4, 2, 0),
    ("K", ".#/##/.#", 2, 2, 0),
    ("L", "##/.#/.#/##", 1, 5, 1),
    ("M", "#/#/#/#", 3, 3, 1),
    ("N", "#####", 7, 1, 1),
    ("O", "#./#./##/#.", 3, 4, 1),
    ("P", "#./##/##/#.", 7, 4, 2),
    ("Q", ".#./###/#.#", 3, 6, 2),
    ("R", ".#./.##/##./.#.", 2, 1, 0),
    ("S", ".#/.#/##", 4, 6, 2),
    ("T", ".#./###/.#.", 5, 4, 2),
    ("U", "#.#/###/#.#", 2, 3, 0),
    ("V", ".#./###/###/.#.", 5, 3, 1),
    ("W", ".#/.#/.#/##", 10, 3, 2),
    ("X", ".#./.#./###", 5, 5, 2),
    ("Y", "##/##/.#/.#", 10, 5, 3),
    ("Z", "##./.#./.#./.##", 1, 2, 0),
    ("a", "#./#./##", 4, 2, 1),
    ("b", ".#./.#./.#./###", 7, 2, 2),
    ("c", "#../##./.##", 10, 4, 3),
    ("d", "#.#/###", 1, 2, 0),
    ("e", ".#/.#/##/#.", 2, 3, 1),
    ("f", ".##/##.", 7, 6, 3),
    ("g", ".##/.##/##.", 8, 6, 3),
    ("h", "#", 0, 0, 0),
)


class Shape:
    """A patch in one orientation: a bit for each column in each of its rows."""

    def __init__(self, orientation: int, lines: "List[str]") -> None:
        # 0 to 7.
        self.orientation = orientation
        self.rows = [_bits(line) for line in lines]
        self.width = len(lines[0])
        self.height = len(lines)

    def looks_like(self, other: "Shape") -> bool:
        """True if both cover the same squares."""
        return self.width == other.width and self.rows == other.rows


class Patch:
    """A patch of the circle, or the special one."""

    def __init__(self, letter: str, rows: "List[str]", cost: int, time: int, income: int) -> None:
        self.letter = letter
        # Buttons to pay, squares of the track to go, buttons at each income square.
        self.cost = cost
        self.time = time
        self.income = income
        # The number of squares that it covers.
        self.squares = "".join(rows).count("#")
        self._rows = rows
        self._shapes: "Optional[List[Shape]]" = None
        self._distinct: "Optional[List[Shape]]" = None

    # Made when they are asked for: all of them take a small interpreter a long time.

    @property
    def shapes(self) -> "List[Shape]":
        """The shapes in the orientations A to H."""
        if self._shapes is None:
            self._shapes = [Shape(each, _oriented(self._rows, each)) for each in range(8)]
        return self._shapes

    @property
    def distinct(self) -> "List[Shape]":
        """The same without those that look like an earlier one."""
        if self._distinct is None:
            self._distinct = _distinct(self.shapes)
        return self._distinct


def _distinct(shapes: "List[Shape]") -> "List[Shape]":
    distinct: "List[Shape]" = []
    for shape in shapes:
        if not any(shape.looks_like(earlier) for earlier in distinct):
            distinct.append(shape)
    return distinct


def _mirrored(row: str) -> str:
    return "".join(reversed(row))


def _turned(rows: "List[str]") -> "List[str]":
    """Turns a quarter clockwise."""
    return [_mirrored("".join(row[column] for row in rows)) for column in range(len(rows[0]))]


def _oriented(rows: "List[str]", orientation: int) -> "List[str]":
    """The rows in an orientation: E to H are mirrored before they turn."""
    result = rows if orientation < 4 else [_mirrored(row) for row in rows]
    for _ in range(orientation % 4):
        result = _turned(result)
    return result


def _bits(row: str) -> int:
    return sum(1 << column for column, cell in enumerate(row) if cell == "#")


# Every patch by its letter; `h` is the special one.
PATCHES = {
    letter: Patch(letter, rows.split("/"), cost, time, income)
    for letter, rows, cost, time, income in _TABLE
}


def patch(letter: str) -> Patch:
    """The patch with this letter."""
    return PATCHES[letter]
