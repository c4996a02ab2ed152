/** The patches of Patchwork, with their shapes in all orientations. */
/** Rows and columns of a quilt. */
export declare const SIDE = 9;
export type Shape = {
    /**
     * 0 to 7
     */
    orientation: number;
    rows: number[];
    width: number;
    height: number;
};
export type Patch = {
    letter: string;
    /**
     * in buttons
     */
    cost: number;
    /**
     * in squares of the track
     */
    time: number;
    /**
     * in buttons at each income square
     */
    income: number;
    /**
     * number of squares that it covers
     */
    squares: number;
    /**
     * in the orientations A to H
     */
    shapes: Shape[];
    /**
     * the same without those that look like an earlier one
     */
    distinct: Shape[];
};
/** Every patch by its letter; `h` is the special one. @type {Map<string, Patch>} */
export declare const PATCHES: Map<string, Patch>;
/** The patch with this letter. @param {string} letter */
export declare function patch(letter: string): Patch;
