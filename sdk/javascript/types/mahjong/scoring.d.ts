export type Rules = {
    /**
     * true if a winning hand must not use all three suits
     */
    voidSuit: boolean;
    /**
     * factor of four triplets and a pair
     */
    allTriplets: number;
    /**
     * factor of a hand of one suit
     */
    fullFlush: number;
    /**
     * factor of seven pairs
     */
    sevenPairs: number;
    /**
     * factor of each four equal tiles
     */
    root: number;
};
/**
 * The rules of a testcase.
 * @typedef {object} Rules
 * @property {boolean} voidSuit true if a winning hand must not use all three suits
 * @property {number} allTriplets factor of four triplets and a pair
 * @property {number} fullFlush factor of a hand of one suit
 * @property {number} sevenPairs factor of seven pairs
 * @property {number} root factor of each four equal tiles
 */
/** The rules where a testcase says nothing else. @type {Rules} */
export declare const DEFAULT_RULES: Rules;
export type Win = {
    faan: number;
    /**
     * true if it counts as seven pairs
     */
    sevenPairs: boolean;
    allTriplets: boolean;
    fullFlush: boolean;
    roots: number;
};
/**
 * The worth of a winning hand, and the reasons for it.
 * @typedef {object} Win
 * @property {number} faan
 * @property {boolean} sevenPairs true if it counts as seven pairs
 * @property {boolean} allTriplets
 * @property {boolean} fullFlush
 * @property {number} roots
 */
/** Faan of a hand of 14 tiles; 0 when it does not win. @param {Uint8Array} hand @param {Rules} rules */
export declare function faan(hand: Uint8Array, rules?: Rules): number;
/** Faan of a hand of 13 tiles and one more; 0 when they do not win. @param {Uint8Array} hand @param {number} tile @param {Rules} rules */
export declare function faanWith(hand: Uint8Array, tile: number, rules?: Rules): number;
/** The score of a round for its winner. @param {number} worth in Faan @param {number} wallLeft tiles left in the wall */
export declare function roundScore(worth: number, wallLeft: number): number;
/** The worth of a hand in its best reading; null if it does not win. @param {Uint8Array} hand @param {Rules} rules @returns {Win | null} */
export declare function winOf(hand: Uint8Array, rules?: Rules): Win | null;
/** The tiles that complete a hand of 13. @param {Uint8Array} hand @param {Rules} rules */
export declare function waits(hand: Uint8Array, rules?: Rules): number[];
