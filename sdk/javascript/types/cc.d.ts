export { EMPTY, WALL, columnOf, rowOf, squareAt } from './mailbox.js';
/** The game's name in the protocol. */
export declare const name = "cc";
/** Most moves that `legalMoves` lists by default; hardly any position has as many. */
export declare const MOST_LISTED = 65536;
export type Move = {
    path: number[];
};
/**
 * A move: every square on a man's way, from its start to its end.
 * @typedef {{ path: number[] }} Move
 */
/** A position, and everything else that the bot knows of the round. */
export declare class State {
    /** The bot's seat: 1 runs to the bottom right corner, 2 to the top left. */
    seat: number;
    /** Rows and columns. */
    size: number;
    /** The contents of each square: `EMPTY`, or the seat of the man there. */
    board: Uint8Array<ArrayBuffer>;
    /** The seat on turn. */
    turn: number;
    /** Moves that the players have made. */
    plies: number;
    /** Number of moves after which the game is drawn; 0 for no limit. */
    maxPlies: number;
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
export declare function ask({ seat, plies, maxPlies, lastMove }: State, [, text]: string[]): State;
/** Reads a position as the question spells it; the bot has the seat on turn. @param {string} text */
export declare function parseState(text: string): State;
/** Writes a position as the question does. @param {State} state */
export declare function formatState({ board, size, turn }: State): string;
/** Reads a move such as `0,1>2,3>2,5`. @param {string} text @returns {Move} */
export declare function parseMove(text: string): Move;
/** Writes a move as the judge reads it. @param {Move} move */
export declare function formatMove({ path }: Move): string;
/** The squares of a seat's men. @param {State} state @param {number} seat */
export declare function men(state: State, seat: number): number[];
/** The corner that a seat runs to. @param {State} state @param {number} seat */
export declare function target({ size }: State, seat: number): number;
/** The square of the man that a move captures: the first enemy jumped over; 0 for none. @param {State} state @param {Move} move */
export declare function captured({ board, turn }: State, { path }: Move): number;
/**
 * The legal moves: man by man, its steps before its chains; none once the game is over.
 * @param {State} state @param {number} most upper bound on the number of moves
 */
export declare function legalMoves(state: State, most?: number): Move[];
/** The state after a legal move. @param {State} state @param {Move} move */
export declare function apply(state: State, move: Move): State;
/** The seat that has won, `DRAW`, or `OPEN`. @param {State} state */
export declare function result(state: State): number;
/** The scores of seat 1 and seat 2: 2 for a win, 1 for a draw, also while the game is open. @param {State} state */
export declare function score(state: State): number[];
