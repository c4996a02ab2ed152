"""The Game of the Amazons. The rules: `judge/games/src/amazons/README.md`."""

from collections import namedtuple

from .mailbox import EMPTY, STRIDE, WALL, column_of, empty_board, row_of, square_at, squares_with
from .outcome import OPEN, other_seat

try:
    from typing import List, Optional

    from .player import Greeting
except ImportError:  # a small interpreter
    pass

# The game's name in the protocol.
NAME = "amazons"

# A burnt square; an amazon is on the board as the number of its seat, 1 or 2.
ARROW = 3

# The letters of a position, by the contents of their squares.
_CONTENTS = ".wbx"

# The eight directions, in the order in which moves are listed.
DIRECTIONS = (1, -1, STRIDE, -STRIDE, STRIDE + 1, -STRIDE - 1, 1 - STRIDE, STRIDE - 1)

# A move: which amazon goes where, and which square its arrow burns.
Move = namedtuple("Move", ("from_", "to", "arrow"))


class State:
    """A position, and everything else that the bot knows of the round."""

    def __init__(self, seat: int, size: int, board: bytearray, turn: int) -> None:
        # The bot's seat: 1 is White, 2 is Black.
        self.seat = seat
        # Rows and columns.
        self.size = size
        # The contents of each square.
        self.board = board
        # The seat on turn.
        self.turn = turn
        # The move made last, if it is known.
        self.last_move: "Optional[Move]" = None
        # False until the first question, which is the first to show the random opening.
        self.known = True


def start(greeting: "Greeting") -> State:
    """The state before the first question."""
    options = greeting.options
    size = int(options["size"])
    board = empty_board(size)
    for seat, key in ((1, "white"), (2, "black")):
        for square in options[key].split(","):
            board[parse_square(square)] = seat
    state = State(greeting.seat, size, board, 1)
    state.known = options["opening"] == "0"
    return state


def hear(state: State, words: "List[str]") -> State:
    """The state after a notice."""
    if words[0] != "opponent":
        return state
    move = parse_move(words[1])
    if state.known:
        return apply(state, move)
    state.last_move = move
    return state


def ask(state: State, words: "List[str]") -> State:
    """The state with a question."""
    asked = parse_state(words[1] + " " + words[2])
    asked.seat = state.seat
    asked.last_move = state.last_move
    return asked


def parse_state(text: str) -> State:
    """Reads a position such as `1b2/3b/w3/2w1 w`; the bot has the seat on turn."""
    rows, side = text.split(" ")
    lines = rows.split("/")
    size = len(lines)
    board = empty_board(size)
    for index, line in enumerate(lines):
        _read_row(board, square_at(size - 1 - index, 0), line)
    turn = _CONTENTS.index(side)
    return State(turn, size, board, turn)


def _read_row(board: bytearray, square: int, line: str) -> None:
    empty = 0
    for letter in line:
        if letter in _CONTENTS:
            square += empty
            board[square] = _CONTENTS.index(letter)
            square += 1
            empty = 0
        else:
            empty = 10 * empty + int(letter)


def format_state(state: State) -> str:
    """Writes a position as the question does."""
    rows = [_format_row(state, row) for row in range(state.size - 1, -1, -1)]
    return "/".join(rows) + " " + _CONTENTS[state.turn]


def _format_row(state: State, row: int) -> str:
    text = ""
    empty = 0
    for column in range(state.size):
        content = state.board[square_at(row, column)]
        if content == EMPTY:
            empty += 1
            continue
        text += (str(empty) if empty else "") + _CONTENTS[content]
        empty = 0
    return text + (str(empty) if empty else "")


def parse_square(text: str) -> int:
    """Reads a square such as `d1`."""
    return square_at(int(text[1:]) - 1, ord(text[0]) - 97)


def format_square(square: int) -> str:
    """Writes a square."""
    return chr(97 + column_of(square)) + str(row_of(square) + 1)


def parse_move(text: str) -> Move:
    """Reads a move such as `d1-d7/g7`."""
    from_, rest = text.split("-")
    to, arrow = rest.split("/")
    return Move(parse_square(from_), parse_square(to), parse_square(arrow))


def format_move(move: Move) -> str:
    """Writes a move as the judge reads it."""
    return format_square(move.from_) + "-" + format_square(move.to) + "/" + format_square(move.arrow)


def amazons(state: State, seat: int) -> "List[int]":
    """The squares of a seat's amazons."""
    return squares_with(state.board, seat)


def reach(state: State, from_: int) -> "List[int]":
    """The squares that a queen on this one can go to."""
    board = state.board
    squares = []
    for step in DIRECTIONS:
        to = from_ + step
        while board[to] == EMPTY:
            squares.append(to)
            to += step
    return squares


def legal_moves(state: State) -> "List[Move]":
    """The legal moves: by amazon, then by its new square, then by its arrow."""
    board = state.board
    moves = []
    for from_ in amazons(state, state.turn):
        targets = reach(state, from_)
        board[from_] = EMPTY
        for to in targets:
            for arrow in reach(state, to):
                moves.append(Move(from_, to, arrow))
        board[from_] = state.turn
    return moves


def apply(state: State, move: Move) -> State:
    """The state after a legal move; the one given stays as it was."""
    board = bytearray(state.board)
    board[move.from_] = EMPTY
    board[move.to] = state.turn
    board[move.arrow] = ARROW
    after = State(state.seat, state.size, board, other_seat(state.turn))
    after.last_move = move
    return after


def result(state: State) -> int:
    """The seat that has won, or `OPEN`: a seat on turn that cannot move has lost."""
    for from_ in amazons(state, state.turn):
        if any(state.board[from_ + step] == EMPTY for step in DIRECTIONS):
            return OPEN
    return other_seat(state.turn)


def score(state: State) -> "List[int]":
    """The scores of seat 1 and seat 2: 1 for the winner."""
    winner = result(state)
    return [int(winner == 1), int(winner == 2)]
