"""The net of Agamemnon: which nodes are joined by which edges. Warps change the edges' types only."""

try:
    from typing import List, Tuple
except ImportError:  # a small interpreter
    pass

# The edges of the standard board.
STANDARD_EDGES = (
    "S0001S0004F0105L0204F0206L0203L0306S0307L0408S0409S0510F0508F0611S0712F0813S0809S0911"
    "S1015F1114L1112S1216F1217S1315F1314L1418L1419F1520L1619S1617F1722L1820L1823S1924F1921"
    "F2025L2126F2122L2226F2325F2324F2427S2428L2529L2628L2729L2728S2831S2930S3031"
)


class Board:
    """The nodes and the edges between them."""

    def __init__(self, ends: "List[Tuple[int, int]]") -> None:
        # The nodes that each edge joins.
        self.ends = ends
        # The number of nodes.
        self.nodes = max([max(pair) for pair in ends] + [-1]) + 1
        # For each node: the numbers of its edges.
        self.incident: "List[List[int]]" = [[] for _ in range(self.nodes)]
        for edge, pair in enumerate(ends):
            for node in pair:
                self.incident[node].append(edge)
        # For each node: the nodes at the other ends, in order.
        self.neighbours = [self._neighbours(node) for node in range(self.nodes)]

    def _neighbours(self, node: int) -> "List[int]":
        return sorted(sum(self.ends[edge]) - node for edge in self.incident[node])

    def edge_between(self, one: int, other: int) -> int:
        """The number of the edge between two nodes, or -1."""
        for edge in self.incident[one]:
            if other in self.ends[edge]:
                return edge
        return -1


def parse_edges(text: str) -> "Tuple[Board, List[str]]":
    """Reads the edge string: the board, and the types of its edges."""
    types = []
    ends = []
    for at in range(0, len(text), 5):
        types.append(text[at])
        ends.append((int(text[at + 1 : at + 3]), int(text[at + 3 : at + 5])))
    return Board(ends), types


def format_node(node: int) -> str:
    """Writes a node as two digits."""
    return str(node) if node > 9 else "0" + str(node)


def format_edges(board: Board, types: "List[str]") -> str:
    """Writes the edge string."""
    pairs = zip(types, board.ends)
    return "".join(type_ + format_node(one) + format_node(other) for type_, (one, other) in pairs)
