/**
 * Plays a round: reads the judge's lines and prints the answers.
 * @template State, Move
 * @param {import('./player.js').Game<State, Move>} game a game's module
 * @param {(state: State, tools: import('./player.js').Tools) => Move} chooseMove the bot
 * @param {{ seed?: number }} options the seed of the bot's random numbers
 */
export declare function run<State, Move>(game: import('./player.js').Game<State, Move>, chooseMove: (state: State, tools: import('./player.js').Tools) => Move, { seed }?: {
    seed?: number;
}): void;
