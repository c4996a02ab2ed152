/** Places each of its tiles where it brings the largest lead at once. */
import { run } from 'judge-bot';
import * as agamemnon from 'judge-bot/agamemnon';

/** The placement of a tile with the best lead for the bot. */
function bestPlacement(state, kind) {
  const lead = (placement) => {
    const [one, two] = agamemnon.score(agamemnon.place(state, placement));
    return state.seat === 1 ? one - two : two - one;
  };
  const all = agamemnon.placements(state, kind).map((placement) => ({ placement, worth: lead(placement) }));
  return all.reduce((best, each) => (each.worth > best.worth ? each : best)).placement;
}

function chooseMove(state) {
  if (state.question === 'redraw') return agamemnon.NO;
  const [first, second] = state.drawn;
  const placements = [bestPlacement(state, first)];
  if (second) placements.push(bestPlacement(agamemnon.place(state, placements[0]), second));
  return { answer: '', placements };
}

run(agamemnon, chooseMove);
