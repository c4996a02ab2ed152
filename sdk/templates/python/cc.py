# judge: game=cc
# A bot for Capturing & Conquering in Python. For the kit's functions see judge_bot/cc.py.
from judge_bot import cc, run


# YOUR STRATEGY: how good a move is. The best one is played: here a winning one, or else the one that
# runs farthest, where a man taken counts as three squares.
def value(state, move):
    if move.path[-1] == cc.target(state, state.seat):
        return 1000
    forward = far(move.path[-1]) - far(move.path[0])
    own = forward if state.seat == 1 else -forward
    return own + (3 if cc.captured(state, move) else 0)


# The number of rows and columns from the top left corner to a square.
def far(square):
    return cc.row_of(square) + cc.column_of(square)


def choose_move(state, tools):
    best = max(cc.legal_moves(state, 60), key=lambda move: value(state, move))
    tools.log("played: " + cc.format_move(best))
    return best


run(cc, choose_move)
