"""A position of Agamemnon."""

from .board import Board, parse_edges

try:
    from typing import List, Optional
except ImportError:  # a small interpreter
    pass


class State:
    """A position, and everything else that the bot knows of the round."""

    def __init__(self, seat: int, board: Board, types: "List[str]") -> None:
        # The bot's seat: 1 is O, 2 is B.
        self.seat = seat
        # The nodes and the edges between them.
        self.board = board
        # The type of each edge: `S`, `L`, `F` or `E`.
        self.types = types
        # The kind of the tile on each node, "" for none.
        self.kinds = [""] * board.nodes
        # The seat of the tile on each node, 0 for none.
        self.owners = [0] * board.nodes
        # All tiles in the order in which they were placed, as text.
        self.tiles = ""
        # The question to the bot: "move", "redraw", or "" when it is not its turn.
        self.question = ""
        # The kinds to place at the question "move"; the weaver at the question "redraw".
        self.drawn = ""
        # The move made last.
        self.last_move: "Optional[object]" = None

    def asked(self, question: str, drawn: str) -> "State":
        """The same position with another question."""
        state = State(self.seat, self.board, self.types)
        state.kinds = self.kinds
        state.owners = self.owners
        state.tiles = self.tiles
        state.question = question
        state.drawn = drawn
        state.last_move = self.last_move
        return state


def read(seat: int, tiles: str, edges: str) -> State:
    """Reads a tile string, `-` for none, and an edge string."""
    board, types = parse_edges(edges)
    state = State(seat, board, types)
    state.tiles = "" if tiles == "-" else tiles
    for at in range(0, len(state.tiles), 4):
        node = int(state.tiles[at + 2 : at + 4])
        state.kinds[node] = state.tiles[at + 1]
        state.owners[node] = 1 if state.tiles[at] == "O" else 2
    return state
