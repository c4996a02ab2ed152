# Runtime error: TypeError: 
# judge: game=mahjong
import judge_host

judge_host.connect(lambda text: 5 if "?" in text else None)
