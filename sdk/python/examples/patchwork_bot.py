"""Buys the patch that covers most for its time, in the first place where it fits."""

from judge_bot import patchwork, run


def gain(move):
    """The gain of a move per square of the track; advancing gains one button for each."""
    if move == patchwork.ADVANCE:
        return 1
    patch = patchwork.patch(move.patch)
    return (2 * patch.squares + 4 * patch.income - patch.cost) / max(patch.time, 1)


def choose_move(state, tools):
    moves = patchwork.legal_moves(state)
    best = max(moves, key=gain)
    tools.log("%s of %d" % (patchwork.format_move(best), len(moves)))
    return best


run(patchwork, choose_move)
