export { STANDARD_EDGES, edgeBetween } from './board.js';
export { score, strings } from './scoring.js';
export { STRENGTH, SUPPLY, WARP, WEFT } from './tiles.js';
export type Placement = import('./tiles.js').Placement;
/** @typedef {import('./tiles.js').Placement} Placement */
/** The game's name in the protocol. */
export declare const name = "agamemnon";
/** Most moves that `legalMoves` lists by default: two Warps can have more. */
export declare const MOST_LISTED = 65536;
export type Move = {
    answer: string;
    placements: Placement[];
};
/**
 * A move: the placements of a turn, or `YES` or `NO` to putting a weaver back.
 * @typedef {{ answer: string, placements: Placement[] }} Move
 */
/** Puts the weaver back. @type {Move} */
export declare const YES: Move;
/** Keeps the weaver. @type {Move} */
export declare const NO: Move;
/** A position, and everything else that the bot knows of the round. */
export declare class State {
    /** The bot's seat: 1 is O, 2 is B. */
    seat: number;
    /** The nodes and the edges between them. */
    board: import("./board.js").Board;
    /** The type of each edge: `S`, `L`, `F` or `E`. @type {string[]} */
    types: string[];
    /** The kind of the tile on each node, '' for none. @type {string[]} */
    kinds: string[];
    /** The seat of the tile on each node, 0 for none. @type {number[]} */
    owners: number[];
    /** All tiles in the order in which they were placed, as text. */
    tiles: string;
    /** The question to the bot: 'move', 'redraw', or '' when it is not its turn. */
    question: string;
    /** The kinds to place at the question 'move'; the weaver at the question 'redraw'. */
    drawn: string;
    /** The move made last. @type {Move | null} */
    lastMove: Move | null;
}
/** The state before the board is known. @param {import('../greeting.js').Greeting} greeting */
export declare function start({ seat }: import('../greeting.js').Greeting): State;
/** @param {State} state @param {string[]} words */
export declare function hear(state: State, [word, text]: string[]): State;
/** @param {State} state @param {string[]} words */
export declare function ask(state: State, [word, drawn, tiles, edges]: string[]): State;
/** Reads `<drawn> <tiles> <edges>`, with `-` for nothing; the bot has the seat on turn. @param {string} text */
export declare function parseState(text: string): State;
/** Writes a position as the question does. @param {State} state */
export declare function formatState({ drawn, tiles, board, types }: State): string;
/** Reads a move such as `Oj151020Of04`, `yes` or `no`. @param {string} text @returns {Move} */
export declare function parseMove(text: string): Move;
/** Writes a move as the judge reads it. @param {Move} move */
export declare function formatMove({ answer, placements }: Move): string;
/** The number of tiles that have been placed. @param {State} state */
export declare function placed({ tiles }: State): number;
/** The seat that places the next tile: O one, then B and O two each in turn. @param {State} state */
export declare function turn(state: State): 1 | 2;
/** The number of tiles that the seat on turn draws: two, but one at the very start and at the end. @param {State} state */
export declare function tilesInTurn(state: State): 1 | 2;
/** The number of tiles of each kind that a seat has not placed yet, including those just drawn. @param {State} state @param {number} seat */
export declare function bag({ kinds, owners }: State, seat: number): {
    [x: string]: number;
};
/** Every way to place one tile of a kind, by the seat on turn; the first half of a move. @param {State} state @param {string} kind */
export declare function placements(state: State, kind: string): import("./tiles.js").Placement[];
/**
 * The legal moves: in the order of the draw, then the other way round, by node and a Warp's edges.
 * @param {State} state @param {number} most upper bound on the number of moves
 */
export declare function legalMoves(state: State, most?: number): Move[];
/** The state after one placement, to plan a turn tile by tile. @param {State} state @param {Placement} placement */
export declare function place(state: State, placement: Placement): State;
/** The state after a legal move. @param {State} state @param {Move} move */
export declare function apply(state: State, move: Move): State;
/** The seat that has won, `DRAW`, or `OPEN` while tiles are left. @param {State} state */
export declare function result(state: State): 0 | 1 | 2 | 3;
