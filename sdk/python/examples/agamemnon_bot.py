"""Places each of its tiles where it brings the largest lead at once."""

from judge_bot import agamemnon, run


def choose_move(state, tools):
    if state.question == "redraw":
        return agamemnon.NO

    def lead(placement):
        one, two = agamemnon.score(agamemnon.place(state, placement))
        return one - two if state.seat == 1 else two - one

    placements = []
    for kind in state.drawn:
        placements.append(max(agamemnon.placements(state, kind), key=lead))
        state = agamemnon.place(state, placements[-1])
    return agamemnon.Move("", placements)


run(agamemnon, choose_move)
