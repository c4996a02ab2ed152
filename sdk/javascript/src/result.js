/** How a game stands, as `result` of each game tells it: the seat that has won, or one of these. */

/** Nobody has won yet. */
export const OPEN = 0;

/** The game is over, and nobody has won. */
export const DRAW = 3;

/** The other seat. @param {number} seat 1 or 2 */
export function otherSeat(seat) {
  return 3 - seat;
}
