// judge: game=cc
// A bot for Capturing & Conquering in JavaScript. For the kit's functions see judge-bot/cc.d.ts.
import { run } from 'judge-bot';
import * as cc from 'judge-bot/cc';

// YOUR STRATEGY: how good a move is. The best one is played: here a winning one, or else the one that
// runs farthest, where a man taken counts as three squares.
function value(state, move) {
  if (cc.result(cc.apply(state, move)) === state.seat) return 1000;
  const forward = far(move.path[move.path.length - 1]) - far(move.path[0]);
  return (state.seat === 1 ? forward : -forward) + (cc.captured(state, move) > 0 ? 3 : 0);
}

// The number of rows and columns from the top left corner to a square.
function far(square) {
  return cc.rowOf(square) + cc.columnOf(square);
}

function chooseMove(state, tools) {
  let best;
  let most = -Infinity;
  for (const move of cc.legalMoves(state, 200)) {
    const found = value(state, move);
    if (found <= most) continue;
    best = move;
    most = found;
  }
  tools.log(`played: ${cc.formatMove(best)}`);
  return best;
}

run(cc, chooseMove);
