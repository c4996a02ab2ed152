"""Arcade Mahjong. The rules: `judge/games/src/mahjong/README.md`."""

from ..copying import copied
from ..outcome import DRAW, OPEN, other_seat
from .distance import distance, useful_tiles
from .scoring import DEFAULT_RULES, Rules, Win, faan, faan_with, round_score, waits, win_of
from .tiles import (
    COPIES, KINDS, RANKS, format_hand, format_tile, parse_hand, parse_tile, rank_of, suit_of,
    tiles_of, with_tile, without_tile,
)

try:
    from typing import List

    from ..player import Greeting
except ImportError:  # a small interpreter
    pass

# The game's name in the protocol.
NAME = "mahjong"

# A move is the tile to discard, or one of these two: win, or play on.
YES = KINDS
NO = KINDS + 1

# Tiles in the wall after the deal.
_WALL = 82

# Tiles dealt to each side.
_DEALT = 13


class State:
    """Everything that the bot sees of a round."""

    def __init__(self, seat: int = 1, rules: Rules = DEFAULT_RULES) -> None:
        # The bot's seat.
        self.seat = seat
        # The rules of scoring.
        self.rules = rules
        # The number of each tile in the bot's hand: 13 in all, 14 when it must discard one.
        self.hand = [0] * KINDS
        # The question to the bot: "discard", "win-self", "win-discard", or "" if there is none.
        self.question = ""
        # The tile that completes the hand, when the bot is asked to win; -1 otherwise.
        self.offered = -1
        # The tile drawn last, -1 before the first.
        self.drawn = -1
        # Tiles that the bot has drawn, the dealt ones included.
        self.draws = 0
        # The bot's discards, in order.
        self.river: "List[int]" = []
        # The other side's discards, in order.
        self.other_river: "List[int]" = []
        # Faan of the hand with which the bot has won, 0 before.
        self.won = 0
        # The end of the round for the bot: "win", "loss" or "draw"; "" until then.
        self.ended = ""

    def copy(self) -> "State":
        """A copy to change; lists are shared."""
        return copied(self)


def start(greeting: "Greeting") -> State:
    """The state before the first tile."""
    options = greeting.options
    factors = [int(options[key]) for key in ("all_triplets", "full_flush", "seven_pairs", "root")]
    return State(greeting.seat, Rules(options["void_suit"] == "true", *factors))


def hear(state: State, words: "List[str]") -> State:
    """The state after a notice."""
    after = state.copy()
    if words[0] == "end":
        after.ended = words[1]
    elif words[0] == "opponent":
        after.other_river = state.other_river + [parse_tile(words[1])]
    elif words[0] == "draw":
        after.drawn = parse_tile(words[1])
        after.hand = with_tile(state.hand, after.drawn)
        after.draws += 1
    return after


def ask(state: State, words: "List[str]") -> State:
    """The state with a question."""
    asked = state.copy()
    if words[0] == "discard?":
        asked.question = "discard"
    else:
        asked.question = "win-" + words[2]
        asked.offered = parse_tile(words[1])
    return asked


def parse_move(text: str) -> int:
    """Reads an answer: a tile, `yes` or `no`."""
    if text in ("yes", "no"):
        return YES if text == "yes" else NO
    return parse_tile(text)


def format_move(move: int) -> str:
    """Writes a move as the judge reads it."""
    if move in (YES, NO):
        return "yes" if move == YES else "no"
    return format_tile(move)


def legal_moves(state: State) -> "List[int]":
    """The legal moves: each tile in hand once, or `NO` and `YES`."""
    if state.question == "discard":
        return [tile for tile, count in enumerate(state.hand) if count]
    return [NO, YES] if state.question else []


def apply(state: State, move: int) -> State:
    """The state after a legal move, as far as the bot knows it: the next draw comes as a notice."""
    after = state.copy()
    if move == YES:
        after.won = faan_with(state.hand, state.offered, state.rules)
        return after
    after.question = ""
    after.offered = -1
    if move != NO:
        after.hand = without_tile(state.hand, move)
        after.river = state.river + [move]
    return after


def wall_left(state: State) -> int:
    """Tiles left in the wall; correct even before a draw or discard is announced."""
    own = max(state.draws - _DEALT, 0) + (state.question == "win-self")
    # The other side drew every tile that it has discarded.
    other = len(state.other_river) + (state.question == "win-discard")
    return _WALL - own - other


def score(state: State) -> "List[int]":
    """The scores of seat 1 and seat 2: both are 0 until the bot has won."""
    own = round_score(state.won, wall_left(state))
    return [own, 0] if state.seat == 1 else [0, own]


def result(state: State) -> int:
    """The seat that has won, `DRAW`, or `OPEN`."""
    if state.won or state.ended == "win":
        return state.seat
    if state.ended == "loss":
        return other_seat(state.seat)
    return DRAW if state.ended == "draw" else OPEN
