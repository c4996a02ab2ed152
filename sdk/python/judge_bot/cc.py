"""Capturing & Conquering. The rules: `judge/games/src/cc/README.md`."""

from collections import namedtuple

from .mailbox import EMPTY, STRIDE, WALL, column_of, empty_board, row_of, square_at, squares_with
from .outcome import DRAW, OPEN, other_seat

try:
    from typing import List, Optional

    from .player import Greeting
except ImportError:  # a small interpreter
    pass

# The game's name in the protocol.
NAME = "cc"

# Most moves that `legal_moves` lists by default; hardly any position has as many.
MOST_LISTED = 65536

# The steps of seat 1 and seat 2, towards their corners.
_STEPS = ((STRIDE, 1, STRIDE + 1), (-STRIDE, -1, -STRIDE - 1))

# The eight directions of jumps, in the order in which they are tried.
_JUMPS = (-STRIDE, 1, 1 - STRIDE, STRIDE + 1, STRIDE, -1, STRIDE - 1, -STRIDE - 1)

# The codes of an empty square, a man of seat 1 and a man of seat 2 in a position.
_CELLS = ("00", "01", "11")

# A move: every square on a man's way, from its start to its end.
Move = namedtuple("Move", ("path",))


class State:
    """A position, and everything else that the bot knows of the round."""

    def __init__(self, seat: int, size: int, board: bytearray, turn: int) -> None:
        # The bot's seat: 1 runs to the bottom right corner, 2 to the top left.
        self.seat = seat
        # Rows and columns.
        self.size = size
        # The contents of each square: `EMPTY`, or the seat of the man there.
        self.board = board
        # The seat on turn.
        self.turn = turn
        # Moves that the players have made.
        self.plies = 0
        # The number of moves after which the game is drawn; 0 for no limit.
        self.max_plies = 0
        # The move made last, if it is known.
        self.last_move: "Optional[Move]" = None
        # False until the first question, which is the first to show the random opening.
        self.known = True


def start(greeting: "Greeting") -> State:
    """The state before the first question."""
    options = greeting.options
    size = int(options["size"])
    board = empty_board(size)
    side = size // 2
    for row in range(side):
        for column in range(side - row):
            board[square_at(row, column)] = 1
            board[square_at(size - 1 - row, size - 1 - column)] = 2
    state = State(greeting.seat, size, board, 1)
    state.max_plies = int(options["max_plies"])
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
    state.plies += 1
    return state


def ask(state: State, words: "List[str]") -> State:
    """The state with a question."""
    asked = parse_state(words[1])
    asked.seat = state.seat
    asked.plies = state.plies
    asked.max_plies = state.max_plies
    asked.last_move = state.last_move
    return asked


def _squares(size: int) -> "List[int]":
    return [square_at(row, column) for row in range(size) for column in range(size)]


def parse_state(text: str) -> State:
    """Reads a position as the question spells it; the bot has the seat on turn."""
    size = 1
    while 2 * size * size + 1 < len(text):
        size += 1
    board = empty_board(size)
    for index, square in enumerate(_squares(size)):
        board[square] = _CELLS.index(text[1 + 2 * index : 3 + 2 * index])
    turn = int(text[0]) + 1
    return State(turn, size, board, turn)


def format_state(state: State) -> str:
    """Writes a position as the question does."""
    cells = [_CELLS[state.board[square]] for square in _squares(state.size)]
    return str(state.turn - 1) + "".join(cells)


def _parse_square(text: str) -> int:
    row, column = text.split(",")
    return square_at(int(row), int(column))


def parse_move(text: str) -> Move:
    """Reads a move such as `0,1>2,3>2,5`."""
    return Move(tuple(_parse_square(square) for square in text.split(">")))


def format_move(move: Move) -> str:
    """Writes a move as the judge reads it."""
    return ">".join(str(row_of(square)) + "," + str(column_of(square)) for square in move.path)


def men(state: State, seat: int) -> "List[int]":
    """The squares of a seat's men."""
    return squares_with(state.board, seat)


def target(state: State, seat: int) -> int:
    """The corner that a seat runs to."""
    return square_at(state.size - 1, state.size - 1) if seat == 1 else square_at(0, 0)


def captured(state: State, move: Move) -> int:
    """The square of the man that a move takes: the first enemy jumped over; 0 for none."""
    path = move.path
    for index in range(1, len(path)):
        over = (path[index - 1] + path[index]) // 2
        # A step has no square in between.
        if _is_jump(path[index - 1], path[index]) and state.board[over] == other_seat(state.turn):
            return over
    return 0


def _is_jump(from_: int, to: int) -> bool:
    return abs(row_of(from_) - row_of(to)) == 2 or abs(column_of(from_) - column_of(to)) == 2


class _Chains:
    """The search of one man's chains of jumps."""

    def __init__(self, state: State, moves: "List[Move]", most: int) -> None:
        self.board = bytearray(state.board)
        self.enemy = other_seat(state.turn)
        self.jumped = bytearray(len(self.board))
        self.moves = moves
        self.most = most

    def go_on(self, path: "tuple", taken: bool) -> None:
        """Lists every continuation of a chain."""
        for jump in _JUMPS:
            over = path[-1] + jump
            if self._can_jump(over, jump):
                self._jump(path, over, over + jump, taken)

    def _can_jump(self, over: int, jump: int) -> bool:
        man = self.board[over]
        return (man == 1 or man == 2) and not self.jumped[over] and self.board[over + jump] == EMPTY

    def _jump(self, path: "tuple", over: int, to: int, taken: bool) -> None:
        if len(self.moves) >= self.most:
            return
        man = self.board[over]
        takes = not taken and man == self.enemy
        # The first enemy jumped over is gone at once, so that its square can be landed on.
        if takes:
            self.board[over] = EMPTY
        self.jumped[over] = 1
        longer = path + (to,)
        self.moves.append(Move(longer))
        self.go_on(longer, taken or takes)
        self.jumped[over] = 0
        self.board[over] = man


def legal_moves(state: State, most: int = MOST_LISTED) -> "List[Move]":
    """The legal moves: man by man, its steps before its chains; none once the game is over.

    `most` bounds how many are listed.
    """
    moves: "List[Move]" = []
    if _decided(state) != OPEN:
        return moves
    chains = _Chains(state, moves, most)
    for from_ in men(state, state.turn):
        for step in _STEPS[state.turn - 1]:
            if state.board[from_ + step] == EMPTY and len(moves) < most:
                moves.append(Move((from_, from_ + step)))
        chains.go_on((from_,), False)
    return moves


def apply(state: State, move: Move) -> State:
    """The state after a legal move; the one given stays as it was."""
    board = bytearray(state.board)
    board[move.path[0]] = EMPTY
    board[move.path[-1]] = state.turn
    taken = captured(state, move)
    if taken:
        board[taken] = EMPTY
    after = State(state.seat, state.size, board, other_seat(state.turn))
    after.plies = state.plies + 1
    after.max_plies = state.max_plies
    after.last_move = move
    return after


def _decided(state: State) -> int:
    """The result, but for a side on turn that cannot move."""
    mover = other_seat(state.turn)
    if state.board[target(state, mover)] == mover:
        return mover
    if len(men(state, state.turn)) == 1:
        return DRAW if len(men(state, mover)) == 1 else mover
    return DRAW if 0 < state.max_plies <= state.plies else OPEN


def result(state: State) -> int:
    """The seat that has won, `DRAW`, or `OPEN`."""
    ended = _decided(state)
    return DRAW if ended == OPEN and not legal_moves(state, 1) else ended


def score(state: State) -> "List[int]":
    """The scores of seat 1 and seat 2: 2 for a win, 1 for a draw, also while the game is open."""
    winner = result(state)
    if winner in (OPEN, DRAW):
        return [1, 1]
    return [2, 0] if winner == 1 else [0, 2]
