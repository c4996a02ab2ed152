// Runtime error: out of memory, or `null` was thrown
// judge: game=mahjong
throw null;
