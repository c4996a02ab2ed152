// Memory limit exceeded: the script failed before it read its first line
// judge: game=mahjong
const again = () => Promise.resolve().then(again);
again();
