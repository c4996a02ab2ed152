/** Buys the patch that covers most for its time, in the first place where it fits. */
import { run } from 'judge-bot';
import * as patchwork from 'judge-bot/patchwork';

/** The gain of a move per square of the track; advancing gains one button for each. */
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
