// judge: game=mahjong
// The strategy of sdk/templates/c/mahjong.c, with the kit of AssemblyScript.
import { Tools, run } from "./judge-bot";
import * as mahjong from "./judge-bot/mahjong";
export { judge_buffer, judge_line } from "./judge-bot";

// 3 for each further tile of its kind, 2 for each neighbour.
function value(hand: Uint8Array, tile: i32): i32 {
  const rank = mahjong.rankOf(tile);
  const above = rank < 9 && hand[tile + 1] > 0;
  const below = rank > 1 && hand[tile - 1] > 0;
  return 3 * (hand[tile] - 1) + 2 * (i32(above) + i32(below));
}

function chooseMove(state: mahjong.State, tools: Tools): mahjong.Move {
  if (state.question != "discard") return mahjong.YES;
  const moves = mahjong.legalMoves(state);
  let worst = moves[0];
  let least = i32.MAX_VALUE;
  for (let i = 0; i < moves.length; i++) {
    const found = value(state.hand, moves[i]);
    if (found >= least) continue;
    least = found;
    worst = moves[i];
  }
  return worst;
}

run(mahjong.game, chooseMove);
