// Square boards of up to 16 by 16 in one array with a border around them: a walk over the board
// ends at a `WALL` by itself. A square is its index, the same on boards of every size.

/** Cells from a square to the one in the next row. */
export const STRIDE = 18;

/** Nothing on the square. */
export const EMPTY: u8 = 0;

/** Beyond the edge of the board. */
export const WALL: u8 = 9;

/** The square in a row and a column, both counted from 0. */
export function squareAt(row: i32, column: i32): i32 {
  return (row + 1) * STRIDE + column + 1;
}

/** The row of a square, from 0. */
export function rowOf(square: i32): i32 {
  return square / STRIDE - 1;
}

/** The column of a square, from 0. */
export function columnOf(square: i32): i32 {
  return (square % STRIDE) - 1;
}

/** An empty board. */
export function emptyBoard(size: i32): Uint8Array {
  const board = new Uint8Array(STRIDE * STRIDE).fill(WALL);
  for (let row = 0; row < size; row++) board.fill(EMPTY, squareAt(row, 0), squareAt(row, size));
  return board;
}

/** The squares with this content, row by row. */
export function squaresWith(board: Uint8Array, content: i32): i32[] {
  const squares: i32[] = [];
  for (let square = 0; square < board.length; square++) {
    if (board[square] == content) squares.push(square);
  }
  return squares;
}
