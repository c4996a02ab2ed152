// Runtime error: InternalError: string too long
// judge: game=mahjong
let text = 'x';
for (;;) text += text + 'y';
