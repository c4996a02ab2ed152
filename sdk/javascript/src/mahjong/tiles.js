/**
 * The tiles of Mahjong. A tile is a number: 0 to 8 are bamboo 1 to 9, then characters, then dots.
 * A hand is the number of each of the 27.
 */

/** Kinds of tiles. */
export const KINDS = 27;

/** Tiles of each kind. */
export const COPIES = 4;

/** Ranks in a suit. */
export const RANKS = 9;

/** The letters of the suits. */
const SUITS = 'bcd';

/** Reads a tile such as `3b`. @param {string} text */
export function parseTile(text) {
  return RANKS * SUITS.indexOf(text[1]) + Number(text[0]) - 1;
}

/** Writes a tile. @param {number} tile */
export function formatTile(tile) {
  return String(rankOf(tile)) + SUITS[suitOf(tile)];
}

/** The rank of a tile, 1 to 9. @param {number} tile */
export function rankOf(tile) {
  return (tile % RANKS) + 1;
}

/** The suit of a tile: 0 bamboo, 1 characters, 2 dots. @param {number} tile */
export function suitOf(tile) {
  return Math.floor(tile / RANKS);
}

/** Reads a hand such as `1478b122367c1389d`. @param {string} text */
export function parseHand(text) {
  const hand = new Uint8Array(KINDS);
  for (const [, ranks, suit] of text.matchAll(/(\d+)([bcd])/g)) {
    for (const rank of ranks) hand[parseTile(rank + suit)] += 1;
  }
  return hand;
}

/** Writes a hand. @param {Uint8Array} hand */
export function formatHand(hand) {
  const parts = [...SUITS].map((suit, index) => {
    const ranks = tilesOf(hand).filter((tile) => suitOf(tile) === index).map(rankOf);
    return ranks.length > 0 ? ranks.join('') + suit : '';
  });
  return parts.join('');
}

/** The tiles of a hand, repeated by their number. @param {Uint8Array} hand */
export function tilesOf(hand) {
  const tiles = [];
  for (let tile = 0; tile < KINDS; tile += 1) {
    for (let copy = 0; copy < hand[tile]; copy += 1) tiles.push(tile);
  }
  return tiles;
}

/** The hand with one more tile. @param {Uint8Array} hand @param {number} tile */
export function withTile(hand, tile) {
  const next = hand.slice();
  next[tile] += 1;
  return next;
}

/** The hand with one tile less. @param {Uint8Array} hand @param {number} tile */
export function withoutTile(hand, tile) {
  const next = hand.slice();
  next[tile] -= 1;
  return next;
}
