// A quilt of 9 by 9 squares: a number for each row, with a bit for each covered column.
import { SIDE, Shape } from "./patches";

/** Columns and rows of the block that the option `seven_by_seven` rewards. */
const BLOCK = 7;

/** Bits of the squares in a whole row. */
const ROW = (1 << SIDE) - 1;

/** True if a shape fits with its top left corner on this square. */
export function fits(quilt: i32[], shape: Shape, column: i32, row: i32): bool {
  if (column + shape.width > SIDE || row + shape.height > SIDE) return false;
  for (let i = 0; i < shape.height; i++) {
    if ((quilt[row + i] & (shape.rows[i] << column)) != 0) return false;
  }
  return true;
}

/** The quilt with a shape on it. */
export function covered(quilt: i32[], shape: Shape, column: i32, row: i32): i32[] {
  const next = quilt.slice();
  for (let i = 0; i < shape.height; i++) next[row + i] |= shape.rows[i] << column;
  return next;
}

/** The number of squares that are not covered. */
export function emptySquares(quilt: i32[]): i32 {
  let empty = SIDE * SIDE;
  for (let row = 0; row < SIDE; row++) empty -= popcnt<i32>(quilt[row]);
  return empty;
}

/** True if a square is covered. */
export function isCovered(quilt: i32[], column: i32, row: i32): bool {
  return ((quilt[row] >> column) & 1) == 1;
}

/** True if some block of 7 by 7 squares is fully covered. */
export function hasBlock(quilt: i32[]): bool {
  for (let row = 0; row + BLOCK <= SIDE; row++) {
    let common = ROW;
    for (let i = 0; i < BLOCK; i++) common &= quilt[row + i];
    const pairs = common & (common >> 1);
    const fours = pairs & (pairs >> 2);
    if ((fours & (fours >> 3)) != 0) return true;
  }
  return false;
}
