// Time limit exceeded: the testcase's time ran out
// judge: game=mahjong
globalThis.judgeLine = (line) => {
  while (line.endsWith('?')) {}
};
