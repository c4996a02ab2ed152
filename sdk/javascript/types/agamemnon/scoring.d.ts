export type State = import('./index.js').State;
export type FateString = {
    /**
     * `S`, `L` or `F`
     */
    type: string;
    edges: number[];
    nodes: number[];
    /**
     * the seat that wins it, 0 for a tie
     */
    winner: number;
};
/** @typedef {import('./index.js').State} State */
/**
 * A string of fate.
 * @typedef {object} FateString
 * @property {string} type `S`, `L` or `F`
 * @property {number[]} edges
 * @property {number[]} nodes
 * @property {number} winner the seat that wins it, 0 for a tie
 */
/** The strings that have a tile. @param {State} state */
export declare function strings(state: State): FateString[];
/** The edges that seat 1 and seat 2 win, as if the game ended now. @param {State} state */
export declare function score(state: State): number[];
