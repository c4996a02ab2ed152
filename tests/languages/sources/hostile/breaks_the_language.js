// Runtime error: the script failed before it read its first line
// judge: game=mahjong
// What the host calls is replaced: it may fail, but not misbehave.
Object.prototype.toString = () => { throw 1; };
String.prototype.toString = () => ({});
JSON.stringify = () => 5;
Error.prototype.toString = () => { throw new Error('again'); };
Object.defineProperty(Error.prototype, 'stack', { get() { throw new Error('no trace'); } });
Error.prepareStackTrace = () => { throw 3; };
Promise.prototype.then = () => { throw 2; };
Object.defineProperty(globalThis, 'judgeLine', { get() { console.log({ toJSON() { throw 4; } }); throw new Error('here'); } });
