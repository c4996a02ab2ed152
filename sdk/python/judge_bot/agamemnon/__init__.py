"""Agamemnon. The rules: `judge/games/src/agamemnon/README.md`."""

from collections import namedtuple

from ..outcome import DRAW, OPEN
from .board import STANDARD_EDGES, Board, format_edges, parse_edges
from .scoring import FateString, score, strings
from .state import State, read
from .tiles import (
    ALL_TILES, STRENGTH, SUPPLY, WARP, WEFT, Placement, format_placement, format_tile,
    parse_placements,
)

try:
    from typing import Dict, List

    from ..player import Greeting
except ImportError:  # a small interpreter
    pass

# The game's name in the protocol.
NAME = "agamemnon"

# Most moves that `legal_moves` lists by default: two Warps can have more.
MOST_LISTED = 65536

# A move: the placements of a turn with the answer "", or `YES` or `NO` to putting a weaver back.
Move = namedtuple("Move", ("answer", "placements"))

# Puts the weaver back.
YES = Move("yes", ())

# Keeps the weaver.
NO = Move("no", ())


def start(greeting: "Greeting") -> State:
    """The state before the board is known."""
    return read(greeting.seat, "-", "")


def hear(state: State, words: "List[str]") -> State:
    """The state after a notice."""
    if words[0] == "edges":
        return read(state.seat, "-", words[1])
    return apply(state, parse_move(words[1])) if words[0] == "opponent" else state


def ask(state: State, words: "List[str]") -> State:
    """The state with a question."""
    if words[0] == "redraw?":
        return state.asked("redraw", words[1])
    asked = read(state.seat, words[2], words[3]).asked("move", words[1])
    asked.last_move = state.last_move
    return asked


def parse_state(text: str) -> State:
    """Reads `<drawn> <tiles> <edges>`, with `-` for nothing; the bot has the seat on turn."""
    drawn, tiles, edges = text.split(" ")
    state = read(1, tiles, edges).asked("move", "" if drawn == "-" else drawn)
    state.seat = turn(state)
    return state


def format_state(state: State) -> str:
    """Writes a position as the question does."""
    edges = format_edges(state.board, state.types)
    return (state.drawn or "-") + " " + (state.tiles or "-") + " " + edges


def parse_move(text: str) -> Move:
    """Reads a move such as `Oj151020Of04`, `yes` or `no`."""
    if text in ("yes", "no"):
        return YES if text == "yes" else NO
    return Move("", tuple(parse_placements(text)))


def format_move(move: Move) -> str:
    """Writes a move as the judge reads it."""
    return move.answer or "".join(format_placement(each) for each in move.placements)


def placed(state: State) -> int:
    """The number of tiles that have been placed."""
    return len(state.tiles) // 4


def turn(state: State) -> int:
    """The seat that places the next tile: O one, then B and O two each in turn."""
    return (placed(state) + 1) // 2 % 2 + 1


def tiles_in_turn(state: State) -> int:
    """The tiles that the seat on turn draws: two, but one at the very start and at the end."""
    return 1 if placed(state) in (0, ALL_TILES - 1) else 2


def bag(state: State, seat: int) -> "Dict[str, int]":
    """The tiles of each kind that a seat has not placed yet, including those just drawn."""
    counts = dict(SUPPLY)
    for kind, owner in zip(state.kinds, state.owners):
        if owner == seat:
            counts[kind] -= 1
    return counts


def placements(state: State, kind: str) -> "List[Placement]":
    """Every way to place one tile of a kind; the first half of a move."""
    seat = turn(state)
    found = []
    for node, owner in enumerate(state.owners):
        if owner:
            continue
        if kind != WARP:
            found.append(Placement(seat, kind, node, -1, -1))
            continue
        ends = state.board.neighbours[node]
        found.extend([Placement(seat, kind, node, x, y) for x in ends for y in ends])
    return found


def legal_moves(state: State, most: int = MOST_LISTED) -> "List[Move]":
    """The legal moves: in the order of the draw, then the other way round, by node and edges.

    `most` bounds how many are listed.
    """
    if state.question == "redraw":
        return [NO, YES]
    moves: "List[Move]" = []
    if len(state.drawn) == 1:
        return [Move("", (one,)) for one in placements(state, state.drawn)][:most]
    if state.drawn:
        first, second = state.drawn
        _add_order(moves, state, first, second, most)
        if first != second:
            _add_order(moves, state, second, first, most)
    return moves


def _add_order(moves: "List[Move]", state: State, first: str, second: str, most: int) -> None:
    others = placements(state, second)
    for one in placements(state, first):
        for other in others:
            if len(moves) >= most:
                return
            if other.node != one.node:
                moves.append(Move("", (one, other)))


def place(state: State, placement: Placement) -> State:
    """The state after one placement, to plan a turn tile by tile."""
    after = state.asked(state.question, state.drawn)
    after.kinds = list(state.kinds)
    after.owners = list(state.owners)
    after.kinds[placement.node] = placement.kind
    after.owners[placement.node] = placement.seat
    after.tiles += format_tile(placement)
    if placement.kind == WARP:
        after.types = _warped(state, placement)
    return after


def _warped(state: State, warp: Placement) -> "List[str]":
    """The types of the edges after a Warp."""
    types = list(state.types)
    one = state.board.edge_between(warp.node, warp.x)
    other = state.board.edge_between(warp.node, warp.y)
    types[one], types[other] = types[other], types[one]
    return types


def apply(state: State, move: Move) -> State:
    """The state after a legal move; the one given stays as it was."""
    after = state.asked("", "")
    for placement in move.placements:
        after = place(after, placement)
    if not move.answer:
        after.last_move = move
    return after


def result(state: State) -> int:
    """The seat that has won, `DRAW`, or `OPEN` while tiles are left."""
    if placed(state) < ALL_TILES:
        return OPEN
    one, two = score(state)
    if one == two:
        return DRAW
    return 1 if one > two else 2
