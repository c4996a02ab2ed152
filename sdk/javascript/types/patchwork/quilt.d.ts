export type Shape = import('./patches.js').Shape;
/** True if a shape fits with its top left corner on this square. @param {number[]} quilt @param {Shape} shape @param {number} column @param {number} row */
export declare function fits(quilt: number[], shape: Shape, column: number, row: number): boolean;
/** The quilt with a shape on it. @param {number[]} quilt @param {Shape} shape @param {number} column @param {number} row */
export declare function covered(quilt: number[], shape: Shape, column: number, row: number): number[];
/** The number of squares that are not covered. @param {number[]} quilt */
export declare function emptySquares(quilt: number[]): number;
/** True if a square is covered. @param {number[]} quilt @param {number} column @param {number} row */
export declare function isCovered(quilt: number[], column: number, row: number): boolean;
/** True if some block of 7 by 7 squares is fully covered. @param {number[]} quilt */
export declare function hasBlock(quilt: number[]): boolean;
