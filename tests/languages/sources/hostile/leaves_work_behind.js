// Time limit exceeded
// judge: game=mahjong
const again = () => Promise.resolve().then(again);
again();
