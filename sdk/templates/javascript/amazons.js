// judge: game=amazons
// A bot for Amazons in JavaScript. For the kit's functions see judge-bot/amazons.d.ts.
import { otherSeat, run } from 'judge-bot';
import * as amazons from 'judge-bot/amazons';

// YOUR STRATEGY: how good a state is for a seat, after its move. The move to the best one is played:
// here, the one after which your amazons reach more squares than the other side's.
function value(state, seat) {
  return room(state, seat) - room(state, otherSeat(seat));
}

function room(state, seat) {
  let count = 0;
  for (const square of amazons.amazons(state, seat)) count += amazons.reach(state, square).length;
  return count;
}

// A move drawn at random. `amazons.legalMoves(state)` has them all, thousands at times.
function draw(state, random) {
  const own = amazons.amazons(state, state.seat);
  const from = random.choice(own.filter((square) => amazons.reach(state, square).length > 0));
  const to = random.choice(amazons.reach(state, from));
  const there = amazons.apply(state, { from, to, arrow: from });
  return { from, to, arrow: random.choice([from, ...amazons.reach(there, to)]) };
}

// Tries thirty moves: time is counted in instructions.
function chooseMove(state, tools) {
  let best;
  let most = -Infinity;
  for (let tries = 0; tries < 30; tries++) {
    const move = draw(state, tools.random);
    const found = value(amazons.apply(state, move), state.seat);
    if (found <= most) continue;
    best = move;
    most = found;
  }
  tools.log(`played: ${amazons.formatMove(best)}`);
  return best;
}

run(amazons, chooseMove);
