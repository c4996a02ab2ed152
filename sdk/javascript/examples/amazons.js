/** Leaves the other side as few reachable squares as it can. */
import { otherSeat, run } from 'judge-bot';
import * as amazons from 'judge-bot/amazons';

/** The number of squares that a seat's amazons can reach. */
function room(state, seat) {
  return amazons.amazons(state, seat).reduce((sum, from) => sum + amazons.reach(state, from).length, 0);
}

function chooseMove(state, tools) {
  let best = { move: null, value: -Infinity };
  const moves = tools.random.shuffle(amazons.legalMoves(state));
  for (const move of moves.slice(0, 100)) {
    const next = amazons.apply(state, move);
    const value = room(next, state.seat) - room(next, otherSeat(state.seat));
    if (value > best.value) best = { move, value };
  }
  tools.log(`${moves.length} moves, the best one is worth ${best.value}`);
  return best.move;
}

run(amazons, chooseMove);
