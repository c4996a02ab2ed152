/** A quilt of 9 by 9 squares: a number for each row, with a bit for each covered column. */
import { SIDE } from './patches.js';

/** @typedef {import('./patches.js').Shape} Shape */

/** Columns and rows of the block that the option `seven_by_seven` rewards. */
const BLOCK = 7;

/** Bits of the squares in a whole row. */
const ROW = (1 << SIDE) - 1;

/** The number of bits set in each number below 512. */
const ONES = Uint8Array.from({ length: ROW + 1 }, (_, bits) => bits.toString(2).split('1').length - 1);

/** True if a shape fits with its top left corner on this square. @param {number[]} quilt @param {Shape} shape @param {number} column @param {number} row */
export function fits(quilt, shape, column, row) {
  if (column + shape.width > SIDE || row + shape.height > SIDE) return false;
  return shape.rows.every((bits, index) => (quilt[row + index] & (bits << column)) === 0);
}

/** The quilt with a shape on it. @param {number[]} quilt @param {Shape} shape @param {number} column @param {number} row */
export function covered(quilt, shape, column, row) {
  const next = quilt.slice();
  shape.rows.forEach((bits, index) => {
    next[row + index] |= bits << column;
  });
  return next;
}

/** The number of squares that are not covered. @param {number[]} quilt */
export function emptySquares(quilt) {
  return quilt.reduce((sum, row) => sum + SIDE - ONES[row], 0);
}

/** True if a square is covered. @param {number[]} quilt @param {number} column @param {number} row */
export function isCovered(quilt, column, row) {
  return ((quilt[row] >> column) & 1) === 1;
}

/** True if some block of 7 by 7 squares is fully covered. @param {number[]} quilt */
export function hasBlock(quilt) {
  for (let row = 0; row + BLOCK <= SIDE; row += 1) {
    const common = quilt.slice(row, row + BLOCK).reduce((bits, each) => bits & each, ROW);
    const pairs = common & (common >> 1);
    const fours = pairs & (pairs >> 2);
    if ((fours & (fours >> 3)) !== 0) return true;
  }
  return false;
}
