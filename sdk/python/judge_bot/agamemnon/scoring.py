"""Strings of fate, and the seats that win them."""

from collections import namedtuple

from .state import State
from .tiles import STRENGTH, WEFT

try:
    from typing import List
except ImportError:  # a small interpreter
    pass

# A string of fate: its type `S`, `L` or `F`, its edges and nodes, and the seat that wins it, 0
# for a tie.
FateString = namedtuple("FateString", ("type", "edges", "nodes", "winner"))


def strings(state: State) -> "List[FateString]":
    """The strings that have a tile."""
    seen = [False] * len(state.types)
    found = []
    for edge, type_ in enumerate(state.types):
        if seen[edge] or type_ == "E":
            continue
        string = _follow(state, edge, seen)
        if any(state.owners[node] for node in string.nodes):
            found.append(string)
    return found


def _follow(state: State, first: int, seen: "List[bool]") -> FateString:
    """The string that an edge belongs to."""
    type_ = state.types[first]
    edges = [first]
    nodes: "List[int]" = []
    seen[first] = True
    # The list grows while it is walked through.
    for edge in edges:
        for node in state.board.ends[edge]:
            if node not in nodes:
                nodes.append(node)
                _extend(state, node, type_, edges, seen)
    return FateString(type_, edges, nodes, _winner(state, type_, nodes))


def _extend(state: State, node: int, type_: str, edges: "List[int]", seen: "List[bool]") -> None:
    """Adds the edges that a node joins: any tile does but a Weft."""
    if not state.owners[node] or state.kinds[node] == WEFT:
        return
    for edge in state.board.incident[node]:
        if not seen[edge] and state.types[edge] == type_:
            seen[edge] = True
            edges.append(edge)


def _winner(state: State, type_: str, nodes: "List[int]") -> int:
    if type_ == "L":
        return _highest_leader(state, nodes)
    sums = [0, 0, 0]
    for node in nodes:
        if state.owners[node]:
            sums[state.owners[node]] += 1 if type_ == "F" else STRENGTH[state.kinds[node]]
    return _larger(sums[1], sums[2])


def _highest_leader(state: State, nodes: "List[int]") -> int:
    for leader in "abcde":
        owners = [state.owners[node] for node in nodes if state.kinds[node] == leader]
        first = _larger(int(1 in owners), int(2 in owners))
        if first:
            return first
    return 0


def _larger(one: int, two: int) -> int:
    """The seat with the larger number."""
    if one == two:
        return 0
    return 1 if one > two else 2


def score(state: State) -> "List[int]":
    """The edges that seat 1 and seat 2 win, as if the game ended now."""
    sums = [0, 0, 0]
    for string in strings(state):
        sums[string.winner] += len(string.edges)
    return sums[1:]
