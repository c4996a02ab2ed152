# Time limit exceeded: still starting up after 100 ms
# judge: game=mahjong
while True:
    pass
