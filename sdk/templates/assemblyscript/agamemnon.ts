// judge: game=agamemnon
// A bot for Agamemnon in AssemblyScript. The folder judge-bot is the kit: see judge-bot/agamemnon.
import { Tools, run } from "./judge-bot";
import * as agamemnon from "./judge-bot/agamemnon";
export { judge_buffer, judge_line } from "./judge-bot";

// YOUR STRATEGY: how good a state is for you. Each tile is placed where it is best: here, where it
// brings the largest lead at once.
function value(state: agamemnon.State): i32 {
  const scores = agamemnon.score(state);
  return state.seat == 1 ? scores[0] - scores[1] : scores[1] - scores[0];
}

function bestPlacement(state: agamemnon.State, kind: string): agamemnon.Placement {
  const all = agamemnon.placements(state, kind);
  let best = all[0];
  let most = i32.MIN_VALUE;
  for (let i = 0; i < all.length; i++) {
    const found = value(agamemnon.place(state, all[i]));
    if (found <= most) continue;
    best = all[i];
    most = found;
  }
  return best;
}

function chooseMove(state: agamemnon.State, tools: Tools): agamemnon.Move {
  if (state.question == "redraw") return agamemnon.NO;
  const placements: agamemnon.Placement[] = [];
  for (let i = 0; i < state.drawn.length; i++) {
    const placement = bestPlacement(state, state.drawn.charAt(i));
    placements.push(placement);
    state = agamemnon.place(state, placement);
  }
  const move = new agamemnon.Move("", placements);
  tools.log("placed: " + agamemnon.formatMove(move));
  return move;
}

run(agamemnon.game, chooseMove);
