// The tiles of Agamemnon: the kinds `a` to `j`, and how they are placed and written.
import { number } from "../greeting";
import { formatNode } from "./board";

/** The number of tiles of each kind that a side has, `a` to `j`. */
export const SUPPLY: StaticArray<i32> = [1, 1, 1, 1, 1, 3, 2, 1, 2, 2];

/** The strength of each kind, `a` to `j`. */
export const STRENGTH: StaticArray<i32> = [1, 3, 4, 3, 2, 1, 2, 3, 0, 0];

/** The kind that separates strings. */
export const WEFT = "i";

/** The kind that exchanges the types of two edges. */
export const WARP = "j";

/** Tiles that are placed in a game. */
export const ALL_TILES = 30;

/** The place of a kind in `SUPPLY` and `STRENGTH`. */
export function indexOf(kind: string): i32 {
  return kind.charCodeAt(0) - 97;
}

/**
 * A tile that is placed; a Warp exchanges the types of the edges to the nodes `x` and `y`, which
 * are -1 with other kinds.
 */
export class Placement {
  constructor(
    public seat: i32,
    public kind: string,
    public node: i32,
    public x: i32 = -1,
    public y: i32 = -1,
  ) {}
}

/** The letters of the seats. */
const SEATS = " OB";

/** Reads placements that follow each other without a space. */
export function parsePlacements(text: string): Placement[] {
  const placements: Placement[] = [];
  let at = 0;
  while (at < text.length) {
    const kind = text.charAt(at + 1);
    const placement = new Placement(SEATS.indexOf(text.charAt(at)), kind, number(text.substr(at + 2, 2)));
    if (kind == WARP) {
      placement.x = number(text.substr(at + 4, 2));
      placement.y = number(text.substr(at + 6, 2));
    }
    placements.push(placement);
    at += kind == WARP ? 8 : 4;
  }
  return placements;
}

/** Writes a placement such as `Ob10`, a Warp as `Oj151020`. */
export function formatPlacement(placement: Placement): string {
  const tile = formatTile(placement);
  if (placement.kind != WARP) return tile;
  return tile + formatNode(placement.x) + formatNode(placement.y);
}

/** Writes a tile and its node, as in the tile string. */
export function formatTile(placement: Placement): string {
  return SEATS.charAt(placement.seat) + placement.kind + formatNode(placement.node);
}
