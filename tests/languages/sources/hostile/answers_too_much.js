// Output limit exceeded
// judge: game=mahjong
globalThis.judgeLine = () => 'x'.repeat(10000);
