import { Random } from './random.js';
export type Tools = {
    /**
     * writes a line to the bot's log, shown with the round
     */
    log: (text: string) => void;
    /**
     * random numbers, the same in every repetition of a round
     */
    random: Random;
};
export type Game<State, Move> = {
    name: string;
    /**
     * the state of a new round
     */
    start: (greeting: import('./greeting.js').Greeting) => State;
    /**
     * the state after a notice
     */
    hear: (state: State, words: string[]) => State;
    /**
     * the state with a question
     */
    ask: (state: State, words: string[]) => State;
    legalMoves: (state: State) => Move[];
    apply: (state: State, move: Move) => State;
    score: (state: State) => number[];
    result: (state: State) => number;
    formatMove: (move: Move) => string;
    parseMove: (text: string) => Move;
};
/**
 * Tools that a bot is given with each question, besides the state.
 * @typedef {object} Tools
 * @property {(text: string) => void} log writes a line to the bot's log, shown with the round
 * @property {Random} random random numbers, the same in every repetition of a round
 */
/**
 * The names that the modules of all games have in common.
 * @template State, Move
 * @typedef {object} Game
 * @property {string} name
 * @property {(greeting: import('./greeting.js').Greeting) => State} start the state of a new round
 * @property {(state: State, words: string[]) => State} hear the state after a notice
 * @property {(state: State, words: string[]) => State} ask the state with a question
 * @property {(state: State) => Move[]} legalMoves
 * @property {(state: State, move: Move) => State} apply
 * @property {(state: State) => number[]} score
 * @property {(state: State) => number} result
 * @property {(move: Move) => string} formatMove
 * @property {(text: string) => Move} parseMove
 */
/**
 * The player of a round: it keeps the state, asks a function for moves, and answers the judge's lines.
 * @template State, Move
 */
export declare class Player<State, Move> {
    #private;
    game: Game<State, Move>;
    chooseMove: (state: State, tools: Tools) => Move;
    tools: Tools;
    /** @type {State | undefined} */
    state: State | undefined;
    /**
     * @param {Game<State, Move>} game a game's module, such as `judge-bot/amazons`
     * @param {(state: State, tools: Tools) => Move} chooseMove
     * @param {Tools} tools
     */
    constructor(game: Game<State, Move>, chooseMove: (state: State, tools: Tools) => Move, tools: Tools);
    /** Takes a line of the judge; returns the answer to a question, and `undefined` for a notice. @param {string} text */
    line(text: string): string | undefined;
}
/** Tools that log by a function. @param {(text: string) => void} log @param {number} seed */
export declare function makeTools(log: (text: string) => void, seed: number): {
    log: (text: string) => void;
    random: Random;
};
