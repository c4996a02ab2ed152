# judge: game=patchwork
# A bot for Patchwork in Python. For the kit's functions see judge_bot/patchwork/__init__.py.
from judge_bot import patchwork, run


# YOUR STRATEGY: how good a move is. The best one is played: here, the patch that covers most for its
# time. To advance brings a button for each square.
def value(state, move):
    if move == patchwork.ADVANCE:
        return 1
    patch = patchwork.patch(move.patch)
    return (2 * patch.squares + 4 * patch.income - patch.cost) / max(patch.time, 1)


def choose_move(state, tools):
    best = max(patchwork.legal_moves(state), key=lambda move: value(state, move))
    tools.log("played: " + patchwork.format_move(best))
    return best


run(patchwork, choose_move)
