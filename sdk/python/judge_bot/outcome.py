"""The values that `result` of each game returns besides the number of the seat that has won."""

# Nobody has won yet.
OPEN = 0

# The game is over, and nobody has won.
DRAW = 3


def other_seat(seat: int) -> int:
    """The other seat."""
    return 3 - seat
