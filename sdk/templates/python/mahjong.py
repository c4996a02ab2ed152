# judge: game=mahjong
# A bot for Mahjong in Python. For the kit's functions see judge_bot/mahjong/__init__.py.
from judge_bot import mahjong, run


# YOUR STRATEGY: it returns one of `mahjong.legal_moves(state)`. It takes every win, and throws the
# tile that has fewest neighbours in the hand.
def choose_move(state, tools):
    if state.question != "discard":
        return mahjong.YES
    best = min(mahjong.legal_moves(state), key=lambda tile: worth(state.hand, tile))
    tools.log("thrown: " + mahjong.format_move(best))
    return best


# A tile counts for itself, its copies and the tiles of its suit that are near.
def worth(hand, tile):
    rank = tile % 9
    near = [tile + step for step in (-2, -1, 1, 2) if 0 <= rank + step < 9]
    return 4 * hand[tile] + sum(hand[other] for other in near)


run(mahjong, choose_move)
