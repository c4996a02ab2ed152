// Runtime error: the script waits at its top level for what never happens
// judge: game=mahjong
await new Promise(() => {});
