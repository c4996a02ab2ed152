/** The values that `result` of each game returns besides the number of the seat that has won. */

/** Nobody has won yet. */
export const OPEN = 0;

/** The game is over, and nobody has won. */
export const DRAW = 3;

/** The other seat. @param {number} seat 1 or 2 */
export function otherSeat(seat) {
  return 3 - seat;
}
