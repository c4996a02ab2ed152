// judge: game=amazons
// The search of bot.cpp, in AssemblyScript.
import { Tools, otherSeat, run } from "./judge-bot";
import * as amazons from "./judge-bot/amazons";
export { judge_buffer, judge_line } from "./judge-bot";

function room(state: amazons.State, seat: i32): i32 {
  const own = amazons.amazons(state, seat);
  let count = 0;
  for (let i = 0; i < own.length; i++) count += amazons.reach(state, own[i]).length;
  return count;
}

function chooseMove(state: amazons.State, tools: Tools): amazons.Move {
  const moves = amazons.legalMoves(state);
  let best = moves[0];
  let most = i32.MIN_VALUE;
  for (let i = 0; i < min(50, moves.length); i++) {
    const after = amazons.apply(state, moves[i]);
    const found = room(after, state.seat) - room(after, otherSeat(state.seat));
    if (found <= most) continue;
    most = found;
    best = moves[i];
  }
  return best;
}

run(amazons.game, chooseMove);
