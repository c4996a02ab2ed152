# judge: game=agamemnon
# A bot for Agamemnon in Python. For the kit's functions see judge_bot/agamemnon/__init__.py.
from judge_bot import agamemnon, run


# YOUR STRATEGY: how good a state is for you. Each tile is placed where it is best: here, where it
# brings the largest lead at once.
def value(state):
    one, two = agamemnon.score(state)
    return one - two if state.seat == 1 else two - one


# Tries two of the placements: time is counted in instructions.
def best_placement(state, kind, tools):
    some = tools.random.shuffle(agamemnon.placements(state, kind))[:2]
    return max(some, key=lambda placement: value(agamemnon.place(state, placement)))


def choose_move(state, tools):
    if state.question == "redraw":
        return agamemnon.NO
    placements = []
    for kind in state.drawn:
        placement = best_placement(state, kind, tools)
        placements.append(placement)
        state = agamemnon.place(state, placement)
    move = agamemnon.Move("", placements)
    tools.log("placed: " + agamemnon.format_move(move))
    return move


run(agamemnon, choose_move)
