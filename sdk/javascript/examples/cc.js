/** Wins or takes a man if it can, and else goes the longest way towards its corner. */
import { run } from 'judge-bot';
import * as cc from 'judge-bot/cc';

/** How far a move brings its man, in rows and columns together. */
function gain(state, { path }) {
  const far = (square) => cc.rowOf(square) + cc.columnOf(square);
  const forward = far(path[path.length - 1]) - far(path[0]);
  return state.seat === 1 ? forward : -forward;
}

function chooseMove(state, tools) {
  const value = (move) => {
    if (cc.result(cc.apply(state, move)) === state.seat) return 1000;
    return gain(state, move) + (cc.captured(state, move) > 0 ? 3 : 0);
  };
  const moves = tools.random.shuffle(cc.legalMoves(state, 500));
  return moves.reduce((best, move) => (value(move) > value(best) ? move : best));
}

run(cc, chooseMove);
