# Runtime error: recurses_deeply.py:4: RecursionError: maximum recursion depth exceeded
# judge: game=mahjong
def deeper(n):
    return deeper(n + 1) + 1


deeper(0)
