# judge: game=mahjong
# The strategy of sdk/templates/c/mahjong.c, with the kit of Python.
from judge_bot import mahjong, run


# 3 for each further tile of its kind, 2 for each neighbour.
def value(hand, tile):
    rank = mahjong.rank_of(tile)
    above = rank < 9 and hand[tile + 1] > 0
    below = rank > 1 and hand[tile - 1] > 0
    return 3 * (hand[tile] - 1) + 2 * (above + below)


def choose_move(state, tools):
    if state.question != "discard":
        return mahjong.YES
    return min(mahjong.legal_moves(state), key=lambda tile: value(state.hand, tile))


run(mahjong, choose_move)
