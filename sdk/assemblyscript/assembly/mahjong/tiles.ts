// The tiles of Mahjong. A tile is a number: 0 to 8 are bamboo 1 to 9, then characters, then dots. A
// hand is the number of each of the 27.

/** Kinds of tiles. */
export const KINDS = 27;

/** Tiles of each kind. */
export const COPIES = 4;

/** Ranks in a suit. */
export const RANKS = 9;

/** The letters of the suits. */
const SUITS = "bcd";

/** Reads a tile such as `3b`. */
export function parseTile(text: string): i32 {
  return RANKS * SUITS.indexOf(text.charAt(1)) + text.charCodeAt(0) - 49;
}

/** Writes a tile. */
export function formatTile(tile: i32): string {
  return rankOf(tile).toString() + SUITS.charAt(suitOf(tile));
}

/** The rank of a tile, 1 to 9. */
export function rankOf(tile: i32): i32 {
  return (tile % RANKS) + 1;
}

/** The suit of a tile: 0 bamboo, 1 characters, 2 dots. */
export function suitOf(tile: i32): i32 {
  return tile / RANKS;
}

/** Reads a hand such as `1478b122367c1389d`. */
export function parseHand(text: string): Uint8Array {
  const hand = new Uint8Array(KINDS);
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const suit = SUITS.indexOf(text.charAt(at));
    if (suit < 0) continue;
    for (; from < at; from++) hand[RANKS * suit + text.charCodeAt(from) - 49]++;
    from = at + 1;
  }
  return hand;
}

/** Writes a hand. */
export function formatHand(hand: Uint8Array): string {
  let text = "";
  for (let suit = 0; suit < 3; suit++) {
    let ranks = "";
    for (let rank = 0; rank < RANKS; rank++) {
      ranks += (rank + 1).toString().repeat(hand[RANKS * suit + rank]);
    }
    if (ranks.length > 0) text += ranks + SUITS.charAt(suit);
  }
  return text;
}

/** The tiles of a hand, repeated by their number. */
export function tilesOf(hand: Uint8Array): i32[] {
  const tiles: i32[] = [];
  for (let tile = 0; tile < KINDS; tile++) {
    for (let copy = 0; copy < i32(hand[tile]); copy++) tiles.push(tile);
  }
  return tiles;
}

/** The hand with one more tile. */
export function withTile(hand: Uint8Array, tile: i32): Uint8Array {
  const next = hand.slice();
  next[tile]++;
  return next;
}

/** The hand with one tile less. */
export function withoutTile(hand: Uint8Array, tile: i32): Uint8Array {
  const next = hand.slice();
  next[tile]--;
  return next;
}
