# Time limit exceeded: still starting up
# judge: game=mahjong
while True:
    try:
        kept = []
        while True:
            kept.append([0] * 1000)
    except MemoryError:
        pass
