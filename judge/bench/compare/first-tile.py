# judge: game=mahjong
from judge_bot import mahjong, run
run(mahjong, lambda state, tools: mahjong.legal_moves(state)[0])
