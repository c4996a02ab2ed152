"""How a game stands, as `result` of each game tells it: the seat that has won, or one of these."""

# Nobody has won yet.
OPEN = 0

# The game is over, and nobody has won.
DRAW = 3


def other_seat(seat: int) -> int:
    """The other seat."""
    return 3 - seat
