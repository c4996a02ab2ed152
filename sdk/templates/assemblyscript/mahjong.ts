// judge: game=mahjong
// A bot for Mahjong in AssemblyScript. The folder judge-bot is the kit: see judge-bot/mahjong.
import { Tools, run } from "./judge-bot";
import * as mahjong from "./judge-bot/mahjong";
export { judge_buffer, judge_line } from "./judge-bot";

// YOUR STRATEGY: it returns one of `mahjong.legalMoves(state)`. It takes every win, and throws the
// tile without which the hand is nearest to ready.
function chooseMove(state: mahjong.State, tools: Tools): mahjong.Move {
  if (state.question != "discard") return mahjong.YES;
  const moves = mahjong.legalMoves(state);
  let best = moves[0];
  let nearest = i32.MAX_VALUE;
  for (let i = 0; i < moves.length; i++) {
    const distance = mahjong.distance(mahjong.withoutTile(state.hand, moves[i]));
    if (distance > nearest) continue;
    best = moves[i];
    nearest = distance;
  }
  tools.log("thrown: " + mahjong.formatMove(best));
  return best;
}

run(mahjong.game, chooseMove);
