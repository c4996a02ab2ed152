"""Connects a bot to its host: an interpreter with a module `judge_host`, or standard input."""

import sys

from .player import Player, Tools

try:
    from typing import Any, Callable
except ImportError:  # a small interpreter
    pass


def run(game: "Any", choose_move: "Callable[[Any, Tools], Any]", seed: int = 1) -> None:
    """Plays a round: reads the judge's lines and prints the answers.

    If the host has a module `judge_host`, its `connect` is given the function that answers a line,
    and its `log` is given the lines of the log.
    """
    host = _host()
    if host is None:
        _read_lines(Player(game, choose_move, Tools(_log, seed)))
    else:
        host.connect(Player(game, choose_move, Tools(host.log, seed)).line)


def _host() -> "Any":
    try:
        import judge_host
        return judge_host
    except ImportError:
        return None


def _log(text: str) -> None:
    sys.stderr.write(text + "\n")


def _read_lines(player: Player) -> None:
    while True:
        text = sys.stdin.readline()
        if not text:
            return
        answer = player.line(text.rstrip("\n"))
        if answer is not None:
            sys.stdout.write(answer + "\n")
            if hasattr(sys.stdout, "flush"):
                sys.stdout.flush()
