// Runtime error: `throws_at_a_move.js:6: Error: no idea`
// judge: game=mahjong
import { run } from 'judge-bot';
import * as mahjong from 'judge-bot/mahjong';
run(mahjong, () => {
  throw new Error('no idea');
});
