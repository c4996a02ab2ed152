// judge: game=mahjong
// The strategy of sdk/templates/c/mahjong.c, with the kit of JavaScript.
import { run } from 'judge-bot';
import * as mahjong from 'judge-bot/mahjong';

// 3 for each further tile of its kind, 2 for each neighbour.
function value(hand, tile) {
  const rank = mahjong.rankOf(tile);
  const above = rank < 9 && hand[tile + 1] > 0;
  const below = rank > 1 && hand[tile - 1] > 0;
  return 3 * (hand[tile] - 1) + 2 * (above + below);
}

function chooseMove(state) {
  if (state.question !== 'discard') return mahjong.YES;
  let worst;
  let least = Infinity;
  for (const tile of mahjong.legalMoves(state)) {
    const found = value(state.hand, tile);
    if (found >= least) continue;
    least = found;
    worst = tile;
  }
  return worst;
}

run(mahjong, chooseMove);
