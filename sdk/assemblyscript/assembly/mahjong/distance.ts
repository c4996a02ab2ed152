// The distance of a hand to ready: 8 - 2 melds - partners - pair over the best way to take it apart,
// with at most four melds and partners and one pair; for seven pairs 6 - pairs.
import { COPIES, KINDS, RANKS, withTile } from "./tiles";

/** Melds and partners that count. */
const MOST_SETS = 4;

/** Entries of a profile, the most partners of a suit by 2 × melds + pair: up to four melds. */
const ENTRIES = 10;

/** Suits whose profiles are kept; a bot's memory is small. */
const MOST_KEPT = 4096;

/** Tiles taken from the lowest rank on, as three numbers, and the entries and partners they add. */
const PARTS: StaticArray<StaticArray<i32>> = [
  [3, 0, 0, 2, 0],
  [1, 1, 1, 2, 0],
  [2, 0, 0, 1, 0],
  [2, 0, 0, 0, 1],
  [1, 1, 0, 0, 1],
  [1, 0, 1, 0, 1],
  [1, 0, 0, 0, 0],
];

/** Profiles by the counts of a suit, as digits; -1 in an entry where there is no such way. */
const kept = new Map<i32, Int8Array>();

/** The profile of tiles of one suit. */
function profileOf(counts: Uint8Array): Int8Array {
  let key = 0;
  for (let rank = 0; rank < RANKS; rank++) key = 5 * key + counts[rank];
  if (kept.has(key)) return kept.get(key);
  const profile = takenApart(counts);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, profile);
  return profile;
}

function takenApart(counts: Uint8Array): Int8Array {
  const best = new Int8Array(ENTRIES).fill(-1);
  let lowest = 0;
  while (lowest < RANKS && counts[lowest] == 0) lowest++;
  if (lowest == RANKS) {
    best[0] = 0;
    return best;
  }
  for (let i = 0; i < PARTS.length; i++) {
    const rest = without(counts, lowest, PARTS[i]);
    if (rest !== null) improve(best, profileOf(rest), PARTS[i][3], PARTS[i][4]);
  }
  return best;
}

/** The counts without these tiles, or null if they are not there. */
function without(counts: Uint8Array, lowest: i32, part: StaticArray<i32>): Uint8Array | null {
  for (let i = 0; i < 3; i++) {
    const there = lowest + i < RANKS ? i32(counts[lowest + i]) : 0;
    if (there < part[i]) return null;
  }
  const rest = counts.slice();
  for (let i = 0; i < 3; i++) {
    if (part[i] > 0) rest[lowest + i] -= u8(part[i]);
  }
  return rest;
}

/** Takes over a profile's entries together with one more part. */
function improve(best: Int8Array, rest: Int8Array, entry: i32, partners: i32): void {
  for (let from = 0; from + entry < ENTRIES; from++) {
    const isSecondPair = (entry & from & 1) == 1;
    if (rest[from] < 0 || isSecondPair) continue;
    best[from + entry] = i8(max<i32>(best[from + entry], rest[from] + partners));
  }
}

/** The profile of two suits together. */
function joined(one: Int8Array, other: Int8Array): Int8Array {
  const best = new Int8Array(ENTRIES).fill(-1);
  for (let entry = 0; entry < ENTRIES; entry++) {
    if (one[entry] >= 0) improve(best, other, entry, one[entry]);
  }
  return best;
}

function ordinary(hand: Uint8Array): i32 {
  const first = profileOf(hand.slice(0, RANKS));
  const second = profileOf(hand.slice(RANKS, 2 * RANKS));
  const all = joined(joined(first, second), profileOf(hand.slice(2 * RANKS)));
  let most = 0;
  for (let entry = 0; entry < ENTRIES; entry++) {
    const melds = entry >> 1;
    if (all[entry] < 0) continue;
    most = max(most, 2 * melds + min<i32>(all[entry], MOST_SETS - melds) + (entry & 1));
  }
  return 8 - most;
}

/** The distance of a hand of 13 or 14 tiles: 0 is ready, -1 has won. */
export function distance(hand: Uint8Array): i32 {
  let pairs = 0;
  for (let tile = 0; tile < KINDS; tile++) pairs += hand[tile] >> 1;
  return min(ordinary(hand), 6 - pairs);
}

/** The tiles that bring a hand one step nearer, without those of which it has all four. */
export function usefulTiles(hand: Uint8Array): i32[] {
  const now = distance(hand);
  const useful: i32[] = [];
  for (let tile = 0; tile < KINDS; tile++) {
    if (i32(hand[tile]) < COPIES && distance(withTile(hand, tile)) < now) useful.push(tile);
  }
  return useful;
}
