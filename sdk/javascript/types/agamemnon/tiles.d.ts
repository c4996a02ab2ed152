/** The number of tiles of each kind that a side has. @type {Record<string, number>} */
export declare const SUPPLY: Record<string, number>;
/** The strength of each kind. @type {Record<string, number>} */
export declare const STRENGTH: Record<string, number>;
/** The kind that separates strings. */
export declare const WEFT = "i";
/** The kind that exchanges the types of two edges. */
export declare const WARP = "j";
/** Tiles that are placed in a game. */
export declare const ALL_TILES = 30;
export type Placement = {
    seat: number;
    kind: string;
    node: number;
    x: number;
    y: number;
};
/** Reads placements that follow each other without a space. @param {string} text */
export declare function parsePlacements(text: string): Placement[];
/** Writes a placement such as `Ob10`, a Warp as `Oj151020`. @param {Placement} placement */
export declare function formatPlacement(placement: Placement): string;
/** Writes a tile and its node, as in the tile string. @param {Placement} placement */
export declare function formatTile({ seat, kind, node }: Placement): string;
