// judge: game=amazons
// The search of bot.cpp, in JavaScript.
import { otherSeat, run } from 'judge-bot';
import * as amazons from 'judge-bot/amazons';

function room(state, seat) {
  let count = 0;
  for (const square of amazons.amazons(state, seat)) count += amazons.reach(state, square).length;
  return count;
}

function chooseMove(state) {
  let best;
  let most = -Infinity;
  for (const move of amazons.legalMoves(state).slice(0, 50)) {
    const after = amazons.apply(state, move);
    const found = room(after, state.seat) - room(after, otherSeat(state.seat));
    if (found <= most) continue;
    most = found;
    best = move;
  }
  return best;
}

run(amazons, chooseMove);
