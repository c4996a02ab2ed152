/** The values that `result` of each game returns besides the number of the seat that has won. */

/** The game is not over yet. */
export const OPEN = 0;

/** The game is over without a winner. */
export const DRAW = 3;

/** The other seat. @param {number} seat 1 or 2 */
export function otherSeat(seat) {
  return 3 - seat;
}
