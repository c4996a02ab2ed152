# Runtime error: RecursionError: maximum recursion depth exceeded
# judge: game=mahjong
def deeper(n):
    return sorted([2, 1], key=deeper)


deeper(0)
