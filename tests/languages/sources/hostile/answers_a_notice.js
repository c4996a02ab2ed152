// Protocol error: printed `hello` without being asked, after `game mahjong
// judge: game=mahjong
globalThis.judgeLine = () => 'hello';
