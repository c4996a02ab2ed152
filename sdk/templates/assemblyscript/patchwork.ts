// judge: game=patchwork
// A bot for Patchwork in AssemblyScript. The folder judge-bot is the kit: see judge-bot/patchwork.
import { Tools, run } from "./judge-bot";
import * as patchwork from "./judge-bot/patchwork";
export { judge_buffer, judge_line } from "./judge-bot";

// YOUR STRATEGY: how good a move is. The best one is played: here, the patch that covers most for its
// time. To advance brings a button for each square.
function value(move: patchwork.Move): f64 {
  if (move === patchwork.ADVANCE) return 1;
  const patch = patchwork.patch(move.patch);
  return f64(2 * patch.squares + 4 * patch.income - patch.cost) / f64(max(patch.time, 1));
}

function chooseMove(state: patchwork.State, tools: Tools): patchwork.Move {
  const moves = patchwork.legalMoves(state);
  let best = moves[0];
  for (let i = 1; i < moves.length; i++) {
    if (value(moves[i]) > value(best)) best = moves[i];
  }
  tools.log("played: " + patchwork.formatMove(best));
  return best;
}

run(patchwork.game, chooseMove);
