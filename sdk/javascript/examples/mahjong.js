/** Discards the tile without which its hand is nearest to ready, and wins whenever it can. */
import { run } from 'judge-bot';
import * as mahjong from 'judge-bot/mahjong';

function chooseMove(state, tools) {
  if (state.question !== 'discard') return mahjong.YES;
  let best = { tile: -1, distance: Infinity };
  for (const tile of mahjong.legalMoves(state)) {
    const distance = mahjong.distance(mahjong.withoutTile(state.hand, tile));
    if (distance <= best.distance) best = { tile, distance };
  }
  tools.log(`${mahjong.wallLeft(state)} left, distance ${best.distance}`);
  return best.tile;
}

run(mahjong, chooseMove);
