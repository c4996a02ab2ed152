// Time limit exceeded
// judge: game=mahjong
for (;;) console.log('x'.repeat(1000));
