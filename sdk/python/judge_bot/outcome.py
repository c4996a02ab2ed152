"""The values that `result` of each game returns besides the number of the seat that has won."""

# The game is not over yet.
OPEN = 0

# The game is over without a winner.
DRAW = 3


def other_seat(seat: int) -> int:
    """The other seat."""
    return 3 - seat
