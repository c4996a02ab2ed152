"""The player of a round: it turns the judge's lines into questions, and moves into answers."""

from .randomness import Random

try:
    from typing import Any, Callable, Dict, List, Optional
except ImportError:  # a small interpreter
    pass


class Greeting:
    """The first line of a round, `game cc seat 1 size=8 ...`, taken apart."""

    def __init__(self, words: "List[str]") -> None:
        self.game = words[1]
        self.seat = int(words[3])
        self.options: "Dict[str, str]" = {}
        for word in words[4:]:
            key, value = word.split("=", 1)
            self.options[key] = value


class Tools:
    """Tools that a bot is given with each question, besides the state."""

    def __init__(self, log: "Callable[[str], Any]", seed: int = 1) -> None:
        # Writes a line to the bot's log, shown with the round.
        self.log = log
        # Random numbers, the same in every repetition of a round.
        self.random = Random(seed)


class Player:
    """Keeps the state of the round, and asks a function for moves.

    `game` is a game's module, such as `judge_bot.amazons`.
    """

    def __init__(self, game: "Any", choose_move: "Callable[[Any, Tools], Any]", tools: Tools) -> None:
        self.game = game
        self.choose_move = choose_move
        self.tools = tools
        self.state: "Any" = None

    def line(self, text: str) -> "Optional[str]":
        """Takes a line of the judge; returns the answer to a question, and None for a notice."""
        words = text.split(" ")
        if words[0] == "game":
            self.state = self._start(Greeting(words))
        elif self.state is None:
            raise ValueError("no round has begun before `" + text + "`")
        elif words[0].endswith("?"):
            return self._answer(self.game.ask(self.state, words))
        else:
            self.state = self.game.hear(self.state, words)
        return None

    def _start(self, greeting: Greeting) -> "Any":
        if greeting.game != self.game.NAME:
            raise ValueError("this bot plays `" + self.game.NAME + "`, not `" + greeting.game + "`")
        return self.game.start(greeting)

    def _answer(self, state: "Any") -> str:
        move = self.choose_move(state, self.tools)
        try:
            after, text = self.game.apply(state, move), self.game.format_move(move)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            raise ValueError("choose_move returned " + repr(move) + ", which is no move: return one of legal_moves(state)")
        self.state = after
        return text
