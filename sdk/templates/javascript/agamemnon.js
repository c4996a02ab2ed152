// judge: game=agamemnon
// A bot for Agamemnon in JavaScript. For the kit's functions see judge-bot/agamemnon/index.d.ts.
import { run } from 'judge-bot';
import * as agamemnon from 'judge-bot/agamemnon';

// YOUR STRATEGY: how good a state is for you. Each tile is placed where it is best: here, where it
// brings the largest lead at once.
function value(state) {
  const [one, two] = agamemnon.score(state);
  return state.seat === 1 ? one - two : two - one;
}

// Tries eight of the placements: time is counted in instructions.
function bestPlacement(state, kind, tools) {
  let best;
  let most = -Infinity;
  for (const placement of tools.random.shuffle(agamemnon.placements(state, kind)).slice(0, 8)) {
    const found = value(agamemnon.place(state, placement));
    if (found <= most) continue;
    best = placement;
    most = found;
  }
  return best;
}

function chooseMove(state, tools) {
  if (state.question === 'redraw') return agamemnon.NO;
  const placements = [];
  for (const kind of state.drawn) {
    const placement = bestPlacement(state, kind, tools);
    placements.push(placement);
    state = agamemnon.place(state, placement);
  }
  const move = { answer: '', placements };
  tools.log(`placed: ${agamemnon.formatMove(move)}`);
  return move;
}

run(agamemnon, chooseMove);
