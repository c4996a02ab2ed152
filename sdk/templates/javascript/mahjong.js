// judge: game=mahjong
// A bot for Mahjong in JavaScript. For the kit's functions see judge-bot/mahjong/index.d.ts.
import { run } from 'judge-bot';
import * as mahjong from 'judge-bot/mahjong';

// YOUR STRATEGY: it returns one of `mahjong.legalMoves(state)`. It takes every win, and throws the
// tile without which the hand is nearest to ready.
function chooseMove(state, tools) {
  if (state.question !== 'discard') return mahjong.YES;
  let best;
  let nearest = Infinity;
  for (const tile of mahjong.legalMoves(state)) {
    const distance = mahjong.distance(mahjong.withoutTile(state.hand, tile));
    if (distance > nearest) continue;
    best = tile;
    nearest = distance;
  }
  tools.log(`thrown: ${mahjong.formatMove(best)}`);
  return best;
}

run(mahjong, chooseMove);
