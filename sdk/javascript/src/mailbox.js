/**
 * Square boards of up to 16 by 16 in one array with a border around them: a walk over the board
 * ends at a `WALL` by itself. A square is its index, the same on boards of every size.
 */

/** Cells from a square to the one in the next row. */
export const STRIDE = 18;

/** Nothing on the square. */
export const EMPTY = 0;

/** Beyond the edge of the board. */
export const WALL = 9;

/** The square in a row and a column, both counted from 0. @param {number} row @param {number} column */
export function squareAt(row, column) {
  return (row + 1) * STRIDE + column + 1;
}

/** The row of a square, from 0. @param {number} square */
export function rowOf(square) {
  return Math.floor(square / STRIDE) - 1;
}

/** The column of a square, from 0. @param {number} square */
export function columnOf(square) {
  return (square % STRIDE) - 1;
}

/** An empty board. @param {number} size rows and columns */
export function emptyBoard(size) {
  const board = new Uint8Array(STRIDE * STRIDE).fill(WALL);
  for (let row = 0; row < size; row += 1) {
    board.fill(EMPTY, squareAt(row, 0), squareAt(row, size));
  }
  return board;
}

/** The squares with this content, row by row. @param {Uint8Array} board @param {number} content */
export function squaresWith(board, content) {
  const squares = [];
  for (let at = board.indexOf(content); at >= 0; at = board.indexOf(content, at + 1)) {
    squares.push(at);
  }
  return squares;
}
