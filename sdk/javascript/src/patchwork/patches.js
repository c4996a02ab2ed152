/** The patches of Patchwork, with their shapes in all orientations. */

/** Rows and columns of a quilt. */
export const SIDE = 9;

/** Letter, rows from the top in orientation A, cost, time, income. @type {[string, string, number, number, number][]} */
const TABLE = [
  ['A', '#/#', 2, 1, 0],
  ['B', '.#/##', 1, 3, 0],
  ['C', '.#/##', 3, 1, 0],
  ['D', '#/#/#', 2, 2, 0],
  ['E', '.#/##/#.', 3, 2, 1],
  ['F', '#./##/##', 2, 2, 0],
  ['G', '..#../#####/..#..', 1, 4, 1],
  ['H', '.#./###/.#./.#.', 0, 3, 1],
  ['I', '##/##', 6, 5, 2],
  ['J', '#./##/##/.#', 4, 2, 0],
  ['K', '.#/##/.#', 2, 2, 0],
  ['L', '##/.#/.#/##', 1, 5, 1],
  ['M', '#/#/#/#', 3, 3, 1],
  ['N', '#####', 7, 1, 1],
  ['O', '#./#./##/#.', 3, 4, 1],
  ['P', '#./##/##/#.', 7, 4, 2],
  ['Q', '.#./###/#.#', 3, 6, 2],
  ['R', '.#./.##/##./.#.', 2, 1, 0],
  ['S', '.#/.#/##', 4, 6, 2],
  ['T', '.#./###/.#.', 5, 4, 2],
  ['U', '#.#/###/#.#', 2, 3, 0],
  ['V', '.#./###/###/.#.', 5, 3, 1],
  ['W', '.#/.#/.#/##', 10, 3, 2],
  ['X', '.#./.#./###', 5, 5, 2],
  ['Y', '##/##/.#/.#', 10, 5, 3],
  ['Z', '##./.#./.#./.##', 1, 2, 0],
  ['a', '#./#./##', 4, 2, 1],
  ['b', '.#./.#./.#./###', 7, 2, 2],
  ['c', '#../##./.##', 10, 4, 3],
  ['d', '#.#/###', 1, 2, 0],
  ['e', '.#/.#/##/#.', 2, 3, 1],
  ['f', '.##/##.', 7, 6, 3],
  ['g', '.##/.##/##.', 8, 6, 3],
  ['h', '#', 0, 0, 0],
];

/**
 * A patch in one orientation: a bit for each column in each of its rows.
 * @typedef {object} Shape
 * @property {number} orientation 0 to 7
 * @property {number[]} rows
 * @property {number} width
 * @property {number} height
 */

/**
 * A patch.
 * @typedef {object} Patch
 * @property {string} letter
 * @property {number} cost in buttons
 * @property {number} time in squares of the track
 * @property {number} income in buttons at each income square
 * @property {number} squares number of squares that it covers
 * @property {Shape[]} shapes in the orientations A to H
 * @property {Shape[]} distinct the same without those that look like an earlier one
 */

/** Turns a quarter clockwise. @param {string[]} rows */
function turned(rows) {
  return [...rows[0]].map((_, column) => rows.map((row) => row[column]).reverse().join(''));
}

/** The rows in an orientation: E to H are mirrored before they turn. @param {string[]} rows @param {number} orientation */
function oriented(rows, orientation) {
  let result = orientation < 4 ? rows : rows.map((row) => [...row].reverse().join(''));
  for (let turns = orientation % 4; turns > 0; turns -= 1) result = turned(result);
  return result;
}

/** @param {string} row */
function bits(row) {
  return [...row].reduce((sum, cell, column) => sum + (cell === '#' ? 1 << column : 0), 0);
}

/** @param {string[]} rows @param {number} orientation @returns {Shape} */
function makeShape(rows, orientation) {
  const lines = oriented(rows, orientation);
  return { orientation, rows: lines.map(bits), width: lines[0].length, height: lines.length };
}

/** @param {Shape} one @param {Shape} other */
function looksLike(one, other) {
  return one.width === other.width && one.rows.join() === other.rows.join();
}

/** @param {[string, string, number, number, number]} line @returns {Patch} */
function makePatch([letter, text, cost, time, income]) {
  const rows = text.split('/');
  const shapes = [0, 1, 2, 3, 4, 5, 6, 7].map((orientation) => makeShape(rows, orientation));
  const distinct = shapes.filter((shape, index) => shapes.findIndex((first) => looksLike(first, shape)) === index);
  const squares = text.split('#').length - 1;
  return { letter, cost, time, income, squares, shapes, distinct };
}

/** Every patch by its letter; `h` is the special one. @type {Map<string, Patch>} */
export const PATCHES = new Map(TABLE.map((line) => [line[0], makePatch(line)]));

/** The patch with this letter. @param {string} letter */
export function patch(letter) {
  const found = PATCHES.get(letter);
  if (found === undefined) throw new Error(`no patch \`${letter}\``);
  return found;
}
