# Time limit exceeded
# judge: game=mahjong
while True:
    print("x" * 1000)
