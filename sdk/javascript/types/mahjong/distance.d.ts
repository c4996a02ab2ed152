export type Profile = number[];
/** The distance of a hand of 13 or 14 tiles: 0 is ready, -1 has won. @param {Uint8Array} hand */
export declare function distance(hand: Uint8Array): number;
/** The tiles that bring a hand one step nearer, without those of which it has all four. @param {Uint8Array} hand */
export declare function usefulTiles(hand: Uint8Array): number[];
