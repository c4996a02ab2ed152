/** The net of Agamemnon: which nodes are joined by which edges. Warps change the edges' types only. */
/** The edges of the standard board. */
export declare const STANDARD_EDGES: string;
export type Board = {
    /**
     * number of nodes
     */
    nodes: number;
    /**
     * of each edge: the nodes that it joins
     */
    ends: [number, number][];
    /**
     * for each node: the numbers of its edges
     */
    incident: number[][];
    /**
     * for each node: the nodes at the other ends, in order
     */
    neighbours: number[][];
};
/**
 * A board.
 * @typedef {object} Board
 * @property {number} nodes number of nodes
 * @property {[number, number][]} ends of each edge: the nodes that it joins
 * @property {number[][]} incident for each node: the numbers of its edges
 * @property {number[][]} neighbours for each node: the nodes at the other ends, in order
 */
/** Reads the edge string: the board, and the types of its edges. @param {string} text @returns {{ board: Board, types: string[] }} */
export declare function parseEdges(text: string): {
    board: Board;
    types: string[];
};
/** The index of the edge between two nodes, or -1. @param {Board} board @param {number} one @param {number} other */
export declare function edgeBetween({ ends, incident }: Board, one: number, other: number): number;
/** Writes a node as two digits. @param {number} node */
export declare function formatNode(node: number): string;
/** Writes the edge string. @param {Board} board @param {string[]} types */
export declare function formatEdges({ ends }: Board, types: string[]): string;
