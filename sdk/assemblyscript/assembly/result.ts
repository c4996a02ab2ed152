// The results that all games share, besides the number of the seat that has won.

/** The game is not over yet. */
export const OPEN = 0;

/** The game is over without a winner. */
export const DRAW = 3;

/** The seat of the opponent: 2 for 1, and 1 for 2. */
export function otherSeat(seat: i32): i32 {
  return 3 - seat;
}
