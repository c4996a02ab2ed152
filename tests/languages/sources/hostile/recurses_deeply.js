// Runtime error: RangeError: Maximum call stack size exceeded
// judge: game=mahjong
const deeper = (n) => deeper(n + 1) + 1;
deeper(0);
