# judge: game=amazons
# A bot for Amazons in Python. For the kit's functions see judge_bot/amazons.py.
from judge_bot import amazons, other_seat, run


# YOUR STRATEGY: how good a state is for a seat, after its move. The move to the best one is played:
# here, the one after which your amazons reach more squares than the other side's.
def value(state, seat):
    return room(state, seat) - room(state, other_seat(seat))


def room(state, seat):
    return sum(len(amazons.reach(state, square)) for square in amazons.amazons(state, seat))


# A move drawn at random. `amazons.legal_moves(state)` has them all, thousands at times.
def draw(state, random):
    own = amazons.amazons(state, state.seat)
    from_ = random.choice([square for square in own if amazons.reach(state, square)])
    to = random.choice(amazons.reach(state, from_))
    there = amazons.apply(state, amazons.Move(from_, to, from_))
    return amazons.Move(from_, to, random.choice([from_] + amazons.reach(there, to)))


# Tries four moves: time is counted in instructions.
def choose_move(state, tools):
    best, most = None, None
    for _ in range(4):
        move = draw(state, tools.random)
        found = value(amazons.apply(state, move), state.seat)
        if most is None or found > most:
            best, most = move, found
    tools.log("played: " + amazons.format_move(best))
    return best


run(amazons, choose_move)
