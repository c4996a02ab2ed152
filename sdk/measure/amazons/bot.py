# judge: game=amazons
# The search of bot.cpp, in Python.
from judge_bot import amazons, other_seat, run


def room(state, seat):
    return sum(len(amazons.reach(state, square)) for square in amazons.amazons(state, seat))


def choose_move(state, tools):
    best, most = None, None
    for move in amazons.legal_moves(state)[:50]:
        after = amazons.apply(state, move)
        found = room(after, state.seat) - room(after, other_seat(state.seat))
        if most is None or found > most:
            best, most = move, found
    return best


run(amazons, choose_move)
