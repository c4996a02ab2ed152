/**
 * The tiles of Mahjong. A tile is a number: 0 to 8 are bamboo 1 to 9, then characters, then dots.
 * A hand is the number of each of the 27.
 */
/** Kinds of tiles. */
export declare const KINDS = 27;
/** Tiles of each kind. */
export declare const COPIES = 4;
/** Ranks in a suit. */
export declare const RANKS = 9;
/** Reads a tile such as `3b`. @param {string} text */
export declare function parseTile(text: string): number;
/** Writes a tile. @param {number} tile */
export declare function formatTile(tile: number): string;
/** The rank of a tile, 1 to 9. @param {number} tile */
export declare function rankOf(tile: number): number;
/** The suit of a tile: 0 bamboo, 1 characters, 2 dots. @param {number} tile */
export declare function suitOf(tile: number): number;
/** Reads a hand such as `1478b122367c1389d`. @param {string} text */
export declare function parseHand(text: string): Uint8Array<ArrayBuffer>;
/** Writes a hand. @param {Uint8Array} hand */
export declare function formatHand(hand: Uint8Array): string;
/** The tiles of a hand, repeated by their number. @param {Uint8Array} hand */
export declare function tilesOf(hand: Uint8Array): number[];
/** The hand with one more tile. @param {Uint8Array} hand @param {number} tile */
export declare function withTile(hand: Uint8Array, tile: number): Uint8Array<ArrayBuffer>;
/** The hand with one tile less. @param {Uint8Array} hand @param {number} tile */
export declare function withoutTile(hand: Uint8Array, tile: number): Uint8Array<ArrayBuffer>;
