// Runtime error: stack overflow: too deep a recursion
// judge: game=mahjong
eval('['.repeat(50000));
