/**
 * The first line of a round, `game cc seat 1 size=8 …`, taken apart.
 * @typedef {object} Greeting
 * @property {string} game the game's name
 * @property {number} seat the bot's seat, 1 or 2
 * @property {Record<string, string>} options the rule switches
 */
export type Greeting = {
    /**
     * the game's name
     */
    game: string;
    /**
     * the bot's seat, 1 or 2
     */
    seat: number;
    /**
     * the rule switches
     */
    options: Record<string, string>;
};
/** Reads the words of the line. @param {string[]} words @returns {Greeting} */
export declare function readGreeting(words: string[]): Greeting;
