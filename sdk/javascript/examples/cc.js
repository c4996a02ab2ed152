/** Wins or captures a man if it can, and otherwise moves as far as it can towards its corner. */
import { run } from 'judge-bot';
import * as cc from 'judge-bot/cc';

/** The rows and columns that a move takes its man forward, added up. */
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
