/**
 * Random numbers that are the same in every kit and in the referee: PCG-XSH-RR 64/32, seeded by
 * SplitMix64, as `judge/docs/determinism.md` describes it. A 64-bit number is a pair of 32-bit
 * halves, since 64-bit integers (`BigInt`) are slow in JavaScript.
 */
export type Wide = {
    high: number;
    low: number;
};
/** A reproducible stream of random numbers. */
export declare class Random {
    #private;
    /**
     * @param {number} seed a whole number from 0 to 2^53 - 1
     * @param {number} stream number of one of the seed's independent streams
     */
    constructor(seed?: number, stream?: number);
    /** The next 32 random bits, as a number from 0. */
    next(): number;
    /** A uniform number from 0 to `bound - 1`. @param {number} bound at least 1 */
    below(bound: number): number;
    /**
     * An element of a list, each as likely as the others.
     * @template T @param {ArrayLike<T>} items @returns {T}
     */
    choice<T>(items: ArrayLike<T>): T;
    /**
     * Shuffles a list in place: Fisher–Yates from its last element down.
     * @template T @param {T[]} items
     */
    shuffle<T>(items: T[]): T[];
}
