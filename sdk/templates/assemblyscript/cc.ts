// judge: game=cc
// A bot for Capturing & Conquering in AssemblyScript. The folder judge-bot is the kit: see
// judge-bot/cc.ts.
import { Tools, run } from "./judge-bot";
import * as cc from "./judge-bot/cc";
export { judge_buffer, judge_line } from "./judge-bot";

// YOUR STRATEGY: how good a move is. The best one is played: here a winning one, or else the one that
// runs farthest, where a man taken counts as three squares.
function value(state: cc.State, move: cc.Move): i32 {
  if (cc.result(cc.apply(state, move)) == state.seat) return 1000;
  const run = far(move.path[move.path.length - 1]) - far(move.path[0]);
  return (state.seat == 1 ? run : -run) + (cc.captured(state, move) > 0 ? 3 : 0);
}

// The number of rows and columns from the top left corner to a square.
function far(square: i32): i32 {
  return cc.rowOf(square) + cc.columnOf(square);
}

function chooseMove(state: cc.State, tools: Tools): cc.Move {
  const moves = cc.legalMoves(state, 500);
  let best = moves[0];
  for (let i = 1; i < moves.length; i++) {
    if (value(state, moves[i]) > value(state, best)) best = moves[i];
  }
  tools.log("played: " + cc.formatMove(best));
  return best;
}

run(cc.game, chooseMove);
