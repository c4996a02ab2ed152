// judge: game=patchwork
// A bot for Patchwork in JavaScript. For the kit's functions see judge-bot/patchwork/index.d.ts.
import { run } from 'judge-bot';
import * as patchwork from 'judge-bot/patchwork';

// YOUR STRATEGY: how good a move is. The best one is played: here, the patch that covers most for its
// time. To advance brings a button for each square.
function value(state, move) {
  if (move === patchwork.ADVANCE) return 1;
  const { squares, income, cost, time } = patchwork.patch(move.patch);
  return (2 * squares + 4 * income - cost) / Math.max(time, 1);
}

function chooseMove(state, tools) {
  const moves = patchwork.legalMoves(state);
  let best = moves[0];
  for (const move of moves) {
    if (value(state, move) > value(state, best)) best = move;
  }
  tools.log(`played: ${patchwork.formatMove(best)}`);
  return best;
}

run(patchwork, chooseMove);
