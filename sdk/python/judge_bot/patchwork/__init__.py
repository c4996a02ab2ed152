"""Patchwork. The rules: `judge/games/src/patchwork/README.md`."""

from collections import namedtuple

from ..copying import copied
from ..outcome import OPEN, other_seat
from .patches import PATCHES, SIDE, Patch, Shape, patch
from .quilt import covered, empty_squares, fits, has_block, is_covered

try:
    from typing import List, Optional

    from ..player import Greeting
except ImportError:  # a small interpreter
    pass

# The game's name in the protocol.
NAME = "patchwork"

# The last square of the track.
LAST = 53

# Squares that pay the income of the quilt.
INCOME = (5, 11, 17, 23, 29, 35, 41, 47, 53)

# Squares that give a special patch to the first player there.
SPECIAL = (20, 26, 32, 44, 50)

# The letter of the special patch.
SPECIAL_PATCH = "h"

# A move: a patch with the top left corner of its box and its orientation (0 to 7), or `ADVANCE`.
Move = namedtuple("Move", ("patch", "column", "row", "orientation"))

# The move that advances to the square after the other token.
ADVANCE = Move(".", 0, 0, 0)


class Side:
    """The possessions of a player."""

    def __init__(self) -> None:
        # Covered squares: a bit for each column in each of nine rows.
        self.quilt = [0] * SIDE
        # The square of the time token.
        self.time = 0
        self.buttons = 5
        # Buttons that each income square brings.
        self.income = 0

    def copy(self) -> "Side":
        """A copy to change."""
        return copied(self)


class State:
    """A position, and everything else that the bot knows of the round."""

    def __init__(self, seat: int = 1, seven_by_seven: bool = False) -> None:
        # The bot's seat.
        self.seat = seat
        # True if the first full block of 7 by 7 squares earns 7 points.
        self.seven_by_seven = seven_by_seven
        # The patches that are left, from the neutral token on: the first three are on offer.
        self.circle = ""
        # The sides of seat 1 and seat 2.
        self.sides = [Side(), Side()]
        # The seat on turn; once the game is over, the one that moved last.
        self.turn = 1
        # True if the seat on turn must lay a special patch now.
        self.pending = False
        # The seat that was first on the last square, or 0.
        self.first_at_end = 0
        # The seat that has the bonus for the first block, or 0.
        self.first_block = 0
        # Characters of the text of the game so far.
        self.length = 0
        # The move made last.
        self.last_move: "Optional[Move]" = None

    def copy(self) -> "State":
        """A copy to change; sides are shared."""
        state = copied(self)
        state.sides = list(self.sides)
        return state


def start(greeting: "Greeting") -> State:
    """The state before the circle is known."""
    return State(greeting.seat, greeting.options["seven_by_seven"] == "true")


def hear(state: State, words: "List[str]") -> State:
    """The state after a notice."""
    if words[0] == "circle":
        state.circle = _from_token(words[1])
    return apply(state, parse_move(words[1])) if words[0] == "opponent" else state


def _from_token(circle: str) -> str:
    """The letters of a circle from the neutral token on, which starts after `A`."""
    at = circle.index("A") + 1
    return circle[at:] + circle[:at]


def ask(state: State, words: "List[str]") -> State:
    """The state with a question, which has all moves; the new ones are made."""
    if words[1] != "-":
        for move in parse_moves(words[1][state.length :]):
            state = apply(state, move)
    return state


def parse_state(text: str) -> State:
    """Reads `<circle> <all moves, or ->`; the bot has the seat on turn."""
    circle, moves = text.split(" ")
    state = State()
    state.circle = _from_token(circle)
    state = ask(state, ["move?", moves])
    state.seat = state.turn
    return state


def parse_moves(text: str) -> "List[Move]":
    """Reads moves that follow each other without a space."""
    moves = []
    at = 0
    while at < len(text):
        length = 1 if text[at] == ADVANCE.patch else 4
        moves.append(parse_move(text[at : at + length]))
        at += length
    return moves


def parse_move(text: str) -> Move:
    """Reads a move such as `BDCA` or `.`."""
    if text == ADVANCE.patch:
        return ADVANCE
    return Move(text[0], ord(text[1]) - 65, ord(text[2]) - 65, ord(text[3]) - 65)


def format_move(move: Move) -> str:
    """Writes a move as the judge reads it."""
    if move.patch == ADVANCE.patch:
        return ADVANCE.patch
    return move.patch + chr(65 + move.column) + chr(65 + move.row) + chr(65 + move.orientation)


def offer(state: State) -> "List[Patch]":
    """The patches on offer."""
    return [patch(letter) for letter in state.circle[:3]]


def is_over(state: State) -> bool:
    """True if both tokens are on the last square and no special patch is pending."""
    return not state.pending and all(side.time == LAST for side in state.sides)


def _layable(state: State) -> "List[Patch]":
    """The patches that can be laid now."""
    if state.pending:
        return [patch(SPECIAL_PATCH)]
    buttons = state.sides[state.turn - 1].buttons
    return [each for each in offer(state) if each.cost <= buttons]


def legal_moves(state: State) -> "List[Move]":
    """The legal moves, one for each shape and place.

    By patch, orientation, row and column; `ADVANCE` comes last.
    """
    moves: "List[Move]" = []
    if is_over(state):
        return moves
    quilt = state.sides[state.turn - 1].quilt
    for each in _layable(state):
        for shape in each.distinct:
            _add_places(moves, quilt, each.letter, shape)
    if not state.pending:
        moves.append(ADVANCE)
    return moves


def _add_places(moves: "List[Move]", quilt: "List[int]", letter: str, shape: Shape) -> None:
    for row in range(SIDE - shape.height + 1):
        for column in range(SIDE - shape.width + 1):
            if fits(quilt, shape, column, row):
                moves.append(Move(letter, column, row, shape.orientation))


def apply(state: State, move: Move) -> State:
    """The state after a legal move; the one given stays as it was."""
    after = state.copy()
    own = state.sides[state.turn - 1].copy()
    after.sides[state.turn - 1] = own
    after.last_move = move
    after.length += len(format_move(move))
    if move.patch == ADVANCE.patch:
        _advance(after, own)
    else:
        _lay(after, own, move)
    _pass_turn(after)
    return after


def _advance(state: State, own: Side) -> None:
    other = state.sides[other_seat(state.turn) - 1]
    steps = min(other.time + 1, LAST) - own.time
    own.buttons += steps
    _go(state, own, steps)


def _lay(state: State, own: Side, move: Move) -> None:
    laid = patch(move.patch)
    own.quilt = covered(own.quilt, laid.shapes[move.orientation], move.column, move.row)
    own.buttons -= laid.cost
    own.income += laid.income
    if state.seven_by_seven and not state.first_block and has_block(own.quilt):
        state.first_block = state.turn
    if laid.letter == SPECIAL_PATCH:
        state.pending = False
        return
    at = state.circle.index(laid.letter)
    state.circle = state.circle[at + 1 :] + state.circle[:at]
    _go(state, own, laid.time)


def _go(state: State, own: Side, steps: int) -> None:
    """Moves the token, and gives the rewards of the squares on the way."""
    before = own.time
    furthest = max(before, state.sides[other_seat(state.turn) - 1].time)
    own.time = min(before + steps, LAST)
    own.buttons += own.income * sum(1 for square in INCOME if before < square <= own.time)
    earned = any(furthest < square <= own.time for square in SPECIAL)
    # On a full quilt the special patch is lost.
    state.pending = earned and empty_squares(own.quilt) > 0
    if own.time == LAST and not state.first_at_end:
        state.first_at_end = state.turn


def _pass_turn(state: State) -> None:
    """The player further back moves; on equal squares the one who came there last."""
    other = other_seat(state.turn)
    if not state.pending and state.sides[other - 1].time < state.sides[state.turn - 1].time:
        state.turn = other


def score(state: State) -> "List[int]":
    """The scores of seat 1 and seat 2, as if the game ended now."""
    return [_points(state, seat) for seat in (1, 2)]


def _points(state: State, seat: int) -> int:
    side = state.sides[seat - 1]
    bonus = 7 if state.first_block == seat else 0
    return side.buttons - 2 * empty_squares(side.quilt) + bonus


def result(state: State) -> int:
    """The seat that has won, or `OPEN`; with equal scores the first at the end."""
    if not is_over(state):
        return OPEN
    one, two = score(state)
    if one == two:
        return state.first_at_end
    return 1 if one > two else 2
