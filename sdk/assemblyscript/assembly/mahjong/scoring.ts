// Winning hands and their worth.
import { COPIES, KINDS, RANKS, withTile } from "./tiles";

/** Tiles of a hand that can win. */
const WINNING = 14;

/** The rules of a testcase; as they are made, those where a testcase says nothing else. */
export class Rules {
  /** True if a winning hand must not use all three suits. */
  voidSuit: bool = false;
  /** Factor of four triplets and a pair. */
  allTriplets: i32 = 2;
  /** Factor of a hand of one suit. */
  fullFlush: i32 = 4;
  /** Factor of seven pairs. */
  sevenPairs: i32 = 4;
  /** Factor of each four equal tiles. */
  root: i32 = 2;
}

/** The rules where a testcase says nothing else. */
export const DEFAULT_RULES = new Rules();

/** The worth of a winning hand, and the reasons for it. */
export class Win {
  constructor(
    public faan: i32,
    /** True if it counts as seven pairs. */
    public sevenPairs: bool,
    public allTriplets: bool,
    public fullFlush: bool,
    public roots: i32,
  ) {}
}

/** Faan of a hand of 14 tiles; 0 when it does not win. */
export function faan(hand: Uint8Array, rules: Rules = DEFAULT_RULES): i32 {
  const win = winOf(hand, rules);
  return win === null ? 0 : win.faan;
}

/** Faan of a hand of 13 tiles and one more; 0 when they do not win. */
export function faanWith(hand: Uint8Array, tile: i32, rules: Rules = DEFAULT_RULES): i32 {
  return i32(hand[tile]) < COPIES ? faan(withTile(hand, tile), rules) : 0;
}

/** The score of a round for its winner, by Faan and the tiles left in the wall. */
export function roundScore(worth: i32, wallLeft: i32): i32 {
  return worth > 0 ? 3 * worth + wallLeft : 0;
}

/** The worth of a hand in its best reading; null if it does not win. */
export function winOf(hand: Uint8Array, rules: Rules = DEFAULT_RULES): Win | null {
  let used = 0;
  let tiles = 0;
  let isOrdinary = true;
  for (let suit = 0; suit < 3; suit++) {
    const counts = hand.slice(suit * RANKS, (suit + 1) * RANKS);
    const length = sum(counts);
    used += length > 0 ? 1 : 0;
    tiles += length;
    isOrdinary = isOrdinary && length % 3 != 1 && isSuit(counts);
  }
  if (tiles != WINNING || (rules.voidSuit && used == 3)) return null;
  let isPairs = true;
  for (let tile = 0; tile < KINDS; tile++) isPairs = isPairs && hand[tile] % 2 == 0;
  return isPairs || isOrdinary ? bestReading(hand, rules, isPairs, isOrdinary, used == 1) : null;
}

function bestReading(
  hand: Uint8Array,
  rules: Rules,
  isPairs: bool,
  isOrdinary: bool,
  fullFlush: bool,
): Win {
  const roots = countOf(hand, COPIES);
  const triplets = isOrdinary && isAllTriplets(hand);
  const asPairs = isPairs ? rules.sevenPairs : 0;
  const asOrdinary = isOrdinary ? (triplets ? rules.allTriplets : 1) : 0;
  let shared = fullFlush ? rules.fullFlush : 1;
  for (let i = 0; i < roots; i++) shared *= rules.root;
  const sevenPairs = asPairs > asOrdinary;
  const worth = shared * max(asPairs, asOrdinary);
  return new Win(worth, sevenPairs, triplets && !sevenPairs, fullFlush, roots);
}

/** The number of kinds with this count. */
function countOf(hand: Uint8Array, number: i32): i32 {
  let count = 0;
  for (let tile = 0; tile < KINDS; tile++) count += i32(hand[tile]) == number ? 1 : 0;
  return count;
}

function isAllTriplets(hand: Uint8Array): bool {
  return countOf(hand, 2) == 1 && countOf(hand, 0) + countOf(hand, 2) + countOf(hand, 3) == KINDS;
}

function sum(counts: Uint8Array): i32 {
  let total = 0;
  for (let i = 0; i < counts.length; i++) total += counts[i];
  return total;
}

/** True if the tiles of a suit are melds, with a pair if their number calls for one. */
function isSuit(suit: Uint8Array): bool {
  if (sum(suit) % 3 == 0) return isMelds(suit.slice());
  for (let rank = 0; rank < RANKS; rank++) {
    if (suit[rank] < 2) continue;
    const rest = suit.slice();
    rest[rank] -= 2;
    if (isMelds(rest)) return true;
  }
  return false;
}

/**
 * True if tiles are triplets and sequences: at the lowest rank, tiles outside triplets begin
 * sequences.
 */
function isMelds(counts: Uint8Array): bool {
  for (let rank = 0; rank < RANKS; rank++) {
    const sequences = counts[rank] % 3;
    if (sequences == 0) continue;
    if (rank + 2 >= RANKS) return false;
    if (counts[rank + 1] < sequences || counts[rank + 2] < sequences) return false;
    counts[rank + 1] -= sequences;
    counts[rank + 2] -= sequences;
  }
  return true;
}

/** The tiles that complete a hand of 13. */
export function waits(hand: Uint8Array, rules: Rules = DEFAULT_RULES): i32[] {
  const tiles: i32[] = [];
  for (let tile = 0; tile < KINDS; tile++) {
    if (faanWith(hand, tile, rules) > 0) tiles.push(tile);
  }
  return tiles;
}
