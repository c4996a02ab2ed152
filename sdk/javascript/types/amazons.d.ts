export { EMPTY, WALL, columnOf, rowOf, squareAt } from './mailbox.js';
/** The game's name in the protocol. */
export declare const name = "amazons";
/** A burnt square; an amazon is on the board as the number of its seat, 1 or 2. */
export declare const ARROW = 3;
/** The eight directions, in the order in which moves are listed. */
export declare const DIRECTIONS: number[];
export type Move = {
    from: number;
    to: number;
    arrow: number;
};
/**
 * A move: which amazon goes where, and which square its arrow burns.
 * @typedef {{ from: number, to: number, arrow: number }} Move
 */
/** A position, and everything else that the bot knows of the round. */
export declare class State {
    /** The bot's seat: 1 is White, 2 is Black. */
    seat: number;
    /** Rows and columns. */
    size: number;
    /** The contents of each square. */
    board: Uint8Array<ArrayBuffer>;
    /** The seat on turn. */
    turn: number;
    /** The move made last, if it is known. @type {Move | null} */
    lastMove: Move | null;
    /** False until the first question, which is the first to show the random opening. */
    known: boolean;
}
/** The state before the first question. @param {import('./greeting.js').Greeting} greeting */
export declare function start({ seat, options }: import('./greeting.js').Greeting): State;
/** @param {State} state @param {string[]} words */
export declare function hear(state: State, [word, text]: string[]): State;
/** @param {State} state @param {string[]} words */
export declare function ask({ seat, lastMove }: State, [, rows, side]: string[]): State;
/** Reads a position such as `1b2/3b/w3/2w1 w`; the bot has the seat on turn. @param {string} text */
export declare function parseState(text: string): State;
/** Writes a position as the question does. @param {State} state */
export declare function formatState({ board, size, turn }: State): string;
/** Reads a square such as `d1`. @param {string} text */
export declare function parseSquare(text: string): number;
/** Writes a square. @param {number} square */
export declare function formatSquare(square: number): string;
/** Reads a move such as `d1-d7/g7`. @param {string} text @returns {Move} */
export declare function parseMove(text: string): Move;
/** Writes a move as the judge reads it. @param {Move} move */
export declare function formatMove({ from, to, arrow }: Move): string;
/** The squares of a seat's amazons. @param {State} state @param {number} seat */
export declare function amazons(state: State, seat: number): number[];
/** The squares that a queen on this one can go to. @param {State} state @param {number} from */
export declare function reach({ board }: State, from: number): number[];
/** The legal moves: by amazon, then by its new square, then by its arrow. @param {State} state */
export declare function legalMoves(state: State): Move[];
/** The state after a legal move. @param {State} state @param {Move} move */
export declare function apply(state: State, move: Move): State;
/** The seat that has won, or `OPEN`: a seat on turn that cannot move has lost. @param {State} state */
export declare function result(state: State): number;
/** The scores of seat 1 and seat 2: 1 for the winner. @param {State} state */
export declare function score(state: State): number[];
