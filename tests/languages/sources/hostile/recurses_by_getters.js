// Runtime error: RangeError: Maximum call stack size exceeded
// judge: game=mahjong
const object = { get value() { return [1].map(() => `${object.value}`).sort(() => object.value); } };
object.value;
