export { PATCHES, SIDE, patch } from './patches.js';
export { covered, emptySquares, fits, hasBlock, isCovered } from './quilt.js';
/** The game's name in the protocol. */
export declare const name = "patchwork";
/** The last square of the track. */
export declare const LAST = 53;
/** Squares that pay the income of the quilt. */
export declare const INCOME: number[];
/** Squares that give a special patch to the first player there. */
export declare const SPECIAL: number[];
/** The letter of the special patch. */
export declare const SPECIAL_PATCH = "h";
export type Move = {
    patch: string;
    column: number;
    row: number;
    orientation: number;
};
/**
 * A move: a patch with the top left corner of its box and its orientation (0 to 7), or `ADVANCE`.
 * @typedef {{ patch: string, column: number, row: number, orientation: number }} Move
 */
/** The move that advances to the square after the other token. @type {Move} */
export declare const ADVANCE: Move;
export type Side = {
    /**
     * covered squares: a bit for each column in each of nine rows
     */
    quilt: number[];
    /**
     * the square of the time token
     */
    time: number;
    buttons: number;
    /**
     * buttons that each income square brings
     */
    income: number;
};
/**
 * The possessions of a player.
 * @typedef {object} Side
 * @property {number[]} quilt covered squares: a bit for each column in each of nine rows
 * @property {number} time the square of the time token
 * @property {number} buttons
 * @property {number} income buttons that each income square brings
 */
/** A position, and everything else that the bot knows of the round. */
export declare class State {
    /** The bot's seat. */
    seat: number;
    /** True if the first full block of 7 by 7 squares earns 7 points. */
    sevenBySeven: boolean;
    /** The patches that are left, from the neutral token on: the first three are on offer. */
    circle: string;
    /** The sides of seat 1 and seat 2. @type {Side[]} */
    sides: Side[];
    /** The seat on turn; once the game is over, the one that moved last. */
    turn: number;
    /** True if the seat on turn must lay a special patch now. */
    pending: boolean;
    /** The seat that was first on the last square, or 0. */
    firstAtEnd: number;
    /** The seat that has the bonus for the first block, or 0. */
    firstBlock: number;
    /** Characters of the text of the game so far. */
    length: number;
    /** The move made last. @type {Move | null} */
    lastMove: Move | null;
}
/** The state before the circle is known. @param {import('../greeting.js').Greeting} greeting */
export declare function start({ seat, options }: import('../greeting.js').Greeting): State;
/** @param {State} state @param {string[]} words */
export declare function hear(state: State, [word, text]: string[]): State;
/** The question has all moves so far; those that the state does not have yet are made. @param {State} state @param {string[]} words */
export declare function ask(state: State, [, text]: string[]): State;
/** Reads `<circle> <all moves, or ->`; the bot has the seat on turn. @param {string} text */
export declare function parseState(text: string): State & {
    seat: number;
};
/** Reads moves that follow each other without a space. @param {string} text */
export declare function parseMoves(text: string): Move[];
/** Reads a move such as `BDCA` or `.`. @param {string} text @returns {Move} */
export declare function parseMove(text: string): Move;
/** Writes a move as the judge reads it. @param {Move} move */
export declare function formatMove(move: Move): string;
/** The patches on offer. @param {State} state */
export declare function offer(state: State): import("./patches.js").Patch[];
/** True if both tokens are on the last square and no patch is left to lay. @param {State} state */
export declare function isOver({ sides, pending }: State): boolean;
/**
 * The legal moves, one for each shape and place: by patch, orientation, row and column; `ADVANCE`
 * comes last.
 * @param {State} state
 */
export declare function legalMoves(state: State): Move[];
/** The state after a legal move. @param {State} state @param {Move} move */
export declare function apply(state: State, move: Move): State;
/** The scores of seat 1 and seat 2, as if the game ended now. @param {State} state */
export declare function score(state: State): number[];
/** The seat that has won, or `OPEN`; with equal scores the first at the end. @param {State} state */
export declare function result(state: State): number;
