// Protocol error: printed two lines
// judge: game=mahjong
globalThis.judgeLine = (line) => (line.includes('?') ? '1b\n1b' : undefined);
