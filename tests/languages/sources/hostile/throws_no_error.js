// Runtime error: `no error but a text`
// judge: game=mahjong
throw 'no error but a text';
