/**
 * Square boards of up to 16 by 16 in one array with a border around them: a walk over the board
 * ends at a `WALL` by itself. A square is its index, the same on boards of every size.
 */
/** Cells from a square to the one in the next row. */
export declare const STRIDE = 18;
/** Nothing on the square. */
export declare const EMPTY = 0;
/** Beyond the edge of the board. */
export declare const WALL = 9;
/** The square in a row and a column, both counted from 0. @param {number} row @param {number} column */
export declare function squareAt(row: number, column: number): number;
/** The row of a square, from 0. @param {number} square */
export declare function rowOf(square: number): number;
/** The column of a square, from 0. @param {number} square */
export declare function columnOf(square: number): number;
/** An empty board. @param {number} size rows and columns */
export declare function emptyBoard(size: number): Uint8Array<ArrayBuffer>;
/** The squares with this content, row by row. @param {Uint8Array} board @param {number} content */
export declare function squaresWith(board: Uint8Array, content: number): number[];
