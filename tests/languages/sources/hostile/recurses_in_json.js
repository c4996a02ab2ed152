// Runtime error: stack overflow: too deep a recursion
// judge: game=mahjong
JSON.parse('['.repeat(100000) + ']'.repeat(100000));
