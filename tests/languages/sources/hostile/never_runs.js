// Runtime error: the script never calls `run(game, chooseMove)`
// judge: game=mahjong
export function chooseMove() {}
