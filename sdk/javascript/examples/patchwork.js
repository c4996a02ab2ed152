/** Buys the patch that covers most for its time, where it comes first. */
import { run } from 'judge-bot';
import * as patchwork from 'judge-bot/patchwork';

/** What a move brings for each square of the track; a button for each when advancing. */
function gain(move) {
  if (move === patchwork.ADVANCE) return 1;
  const { squares, income, cost, time } = patchwork.patch(move.patch);
  return (2 * squares + 4 * income - cost) / Math.max(time, 1);
}

function chooseMove(state, tools) {
  const moves = patchwork.legalMoves(state);
  const best = moves.reduce((first, move) => (gain(move) > gain(first) ? move : first));
  tools.log(`${patchwork.formatMove(best)} of ${moves.length}`);
  return best;
}

run(patchwork, chooseMove);
