# Runtime error: `raises_at_a_move.py:7: ValueError: no idea`
# judge: game=mahjong
from judge_bot import mahjong, run


def choose_move(state, tools):
    raise ValueError("no idea")


run(mahjong, choose_move)
