# Runtime error: `is_no_python.py:5: SyntaxError: 
# judge: game=mahjong
def choose_move(state, tools):
    return state.
