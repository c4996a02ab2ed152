// judge: game=amazons
// A bot for Amazons in AssemblyScript. The folder judge-bot is the kit: see judge-bot/amazons.ts.
import { Tools, otherSeat, run } from "./judge-bot";
import * as amazons from "./judge-bot/amazons";
export { judge_buffer, judge_line } from "./judge-bot";

// YOUR STRATEGY: how good a state is for a seat, after its move. The move to the best one is played:
// here, the one after which your amazons reach more squares than the other side's.
function value(state: amazons.State, seat: i32): i32 {
  return room(state, seat) - room(state, otherSeat(seat));
}

function room(state: amazons.State, seat: i32): i32 {
  const own = amazons.amazons(state, seat);
  let count = 0;
  for (let i = 0; i < own.length; i++) count += amazons.reach(state, own[i]).length;
  return count;
}

// Tries a hundred of the moves, as there may be thousands.
function chooseMove(state: amazons.State, tools: Tools): amazons.Move {
  const moves = tools.random.shuffle(amazons.legalMoves(state));
  let best = moves[0];
  let most = i32.MIN_VALUE;
  for (let i = 0; i < min(100, moves.length); i++) {
    const found = value(amazons.apply(state, moves[i]), state.seat);
    if (found <= most) continue;
    best = moves[i];
    most = found;
  }
  tools.log("played: " + amazons.formatMove(best));
  return best;
}

run(amazons.game, chooseMove);
