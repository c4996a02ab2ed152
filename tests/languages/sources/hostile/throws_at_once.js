// Runtime error: `throws_at_once.js:3: TypeError: 
// judge: game=mahjong
null.property;
