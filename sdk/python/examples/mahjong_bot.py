"""Discards the tile without which its hand is nearest to ready, and wins whenever it can."""

from judge_bot import mahjong, run


def choose_move(state, tools):
    if state.question != "discard":
        return mahjong.YES

    def distance(tile):
        return mahjong.distance(mahjong.without_tile(state.hand, tile))

    best = min(reversed(mahjong.legal_moves(state)), key=distance)
    tools.log("%d left, distance %d" % (mahjong.wall_left(state), distance(best)))
    return best


run(mahjong, choose_move)
