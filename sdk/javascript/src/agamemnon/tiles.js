/** The tiles of Agamemnon: the kinds `a` to `j`, and how they are placed and written. */
import { formatNode } from './board.js';

/** The number of tiles of each kind that a side has. @type {Record<string, number>} */
export const SUPPLY = { a: 1, b: 1, c: 1, d: 1, e: 1, f: 3, g: 2, h: 1, i: 2, j: 2 };

/** The strength of each kind. @type {Record<string, number>} */
export const STRENGTH = { a: 1, b: 3, c: 4, d: 3, e: 2, f: 1, g: 2, h: 3, i: 0, j: 0 };

/** The kind that separates strings. */
export const WEFT = 'i';

/** The kind that exchanges the types of two edges. */
export const WARP = 'j';

/** Tiles that are placed in a game. */
export const ALL_TILES = 30;

/**
 * A tile that is placed; a Warp exchanges the types of the edges to the nodes `x` and `y`, which
 * are -1 with other kinds.
 * @typedef {{ seat: number, kind: string, node: number, x: number, y: number }} Placement
 */

/** The letters of the seats. */
const SEATS = ' OB';

/** Reads placements that follow each other without a space. @param {string} text */
export function parsePlacements(text) {
  /** @type {Placement[]} */
  const placements = [];
  for (let at = 0; at < text.length; ) {
    const number = (/** @type {number} */ index) => Number(text.slice(at + 2 * index, at + 2 * index + 2));
    const isWarp = text[at + 1] === WARP;
    const [x, y] = isWarp ? [number(2), number(3)] : [-1, -1];
    placements.push({ seat: SEATS.indexOf(text[at]), kind: text[at + 1], node: number(1), x, y });
    at += isWarp ? 8 : 4;
  }
  return placements;
}

/** Writes a placement such as `Ob10`, a Warp as `Oj151020`. @param {Placement} placement */
export function formatPlacement(placement) {
  const { kind, x, y } = placement;
  const ends = kind === WARP ? formatNode(x) + formatNode(y) : '';
  return formatTile(placement) + ends;
}

/** Writes a tile and its node, as in the tile string. @param {Placement} placement */
export function formatTile({ seat, kind, node }) {
  return SEATS[seat] + kind + formatNode(node);
}
