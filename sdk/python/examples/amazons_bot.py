"""Leaves the other side as few reachable squares as it can."""

from judge_bot import amazons, other_seat, run


def room(state, seat):
    """The number of squares that a seat's amazons can reach."""
    return sum(len(amazons.reach(state, from_)) for from_ in amazons.amazons(state, seat))


def choose_move(state, tools):
    def value(move):
        after = amazons.apply(state, move)
        return room(after, state.seat) - room(after, other_seat(state.seat))

    moves = tools.random.shuffle(amazons.legal_moves(state))
    best = max(moves[:100], key=value)
    tools.log("%d moves, the best one is worth %d" % (len(moves), value(best)))
    return best


run(amazons, choose_move)
