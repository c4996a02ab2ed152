# Runtime error: MemoryError
# judge: game=mahjong
kept = []
while True:
    kept.append(bytearray(65536))
