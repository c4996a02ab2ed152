export { distance, usefulTiles } from './distance.js';
export { DEFAULT_RULES, faan, faanWith, roundScore, waits, winOf } from './scoring.js';
export { COPIES, KINDS, RANKS, formatHand, formatTile, parseHand, parseTile, rankOf, suitOf, tilesOf, withTile, withoutTile, } from './tiles.js';
/** The game's name in the protocol. */
export declare const name = "mahjong";
/** The move that wins. */
export declare const YES = 27;
/** The move that does not win, and plays on. */
export declare const NO: number;
export type Move = number;
/**
 * A move: the tile to discard, or `YES` or `NO` to winning.
 * @typedef {number} Move
 */
/** Everything that the bot sees of a round. */
export declare class State {
    /** The bot's seat. */
    seat: number;
    /** The rules of scoring. */
    rules: import("./scoring.js").Rules;
    /** The number of each tile in the bot's hand: 13 in all, 14 when it must discard one. */
    hand: Uint8Array<ArrayBuffer>;
    /** The question to the bot: 'discard', 'win-self', 'win-discard', or '' when it is not its turn. */
    question: string;
    /** The tile that completes the hand, when the bot is asked to win; -1 otherwise. */
    offered: number;
    /** The tile drawn last, -1 before the first. */
    drawn: number;
    /** Tiles that the bot has drawn, the dealt ones included. */
    draws: number;
    /** The bot's discards, in order. @type {number[]} */
    river: number[];
    /** The other side's discards, in order. @type {number[]} */
    otherRiver: number[];
    /** Faan of the hand with which the bot has won, 0 before. */
    won: number;
    /** The end of the round for the bot: 'win', 'loss' or 'draw'; '' until then. */
    ended: string;
}
/** The state before the first tile. @param {import('../greeting.js').Greeting} greeting */
export declare function start({ seat, options }: import('../greeting.js').Greeting): State;
/** @param {State} state @param {string[]} words */
export declare function hear(state: State, words: string[]): State;
/** @param {State} state @param {string[]} words */
export declare function ask(state: State, [word, tile, how]: string[]): State;
/** Reads an answer: a tile, `yes` or `no`. @param {string} text @returns {Move} */
export declare function parseMove(text: string): Move;
/** Writes a move as the judge reads it. @param {Move} move */
export declare function formatMove(move: Move): string;
/** The legal moves: each tile in hand once, or `NO` and `YES`. @param {State} state */
export declare function legalMoves({ question, hand }: State): number[];
/** The state after a legal move, as far as the bot knows it: the next draw comes as a notice. @param {State} state @param {Move} move */
export declare function apply(state: State, move: Move): State;
/** Tiles left in the wall; correct even before a draw or discard is announced. @param {State} state */
export declare function wallLeft({ question, draws, otherRiver }: State): number;
/** The scores of seat 1 and seat 2: both are 0 until the bot has won. @param {State} state */
export declare function score(state: State): number[];
/** The seat that has won, `DRAW`, or `OPEN`. @param {State} state */
export declare function result({ seat, won, ended }: State): number;
