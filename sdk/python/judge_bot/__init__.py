"""The kit for bots in Python. Each game is a separate module, such as `judge_bot.amazons`."""

from .host import run
from .outcome import DRAW, OPEN, other_seat
from .player import Greeting, Player, Tools
from .randomness import Random

__all__ = ["DRAW", "OPEN", "Greeting", "Player", "Random", "Tools", "other_seat", "run"]
