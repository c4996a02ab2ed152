# Runtime error: choose_move returned None, which is no move: return one of legal_moves(state)
# judge: game=mahjong
from judge_bot import mahjong, run


def choose_move(state, tools):
    mahjong.legal_moves(state)[0]


run(mahjong, choose_move)
