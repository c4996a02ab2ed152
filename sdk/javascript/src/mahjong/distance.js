/**
 * The distance of a hand to ready: 8 - 2 melds - partners - pair over the best way to take it
 * apart, with at most four melds and partners and one pair; for seven pairs 6 - pairs.
 */
import { COPIES, KINDS, RANKS, withTile } from './tiles.js';

/** Melds and partners that count. */
const MOST_SETS = 4;

/**
 * The most partners of a suit, by 2 × melds + pair; -1 where there is no such way.
 * @typedef {number[]} Profile
 */

/** Entries of a profile: up to four melds, with and without a pair. */
const ENTRIES = 2 * (MOST_SETS + 1);

/** Suits whose profiles are kept; a bot's memory is small. */
const MOST_KEPT = 4096;

/** Tiles taken from the lowest rank on, and the entries and partners that they add. */
const PARTS = [
  { tiles: [3], entry: 2, partners: 0 },
  { tiles: [1, 1, 1], entry: 2, partners: 0 },
  { tiles: [2], entry: 1, partners: 0 },
  { tiles: [2], entry: 0, partners: 1 },
  { tiles: [1, 1], entry: 0, partners: 1 },
  { tiles: [1, 0, 1], entry: 0, partners: 1 },
  { tiles: [1], entry: 0, partners: 0 },
];

/** Profiles by the counts of a suit, as digits. @type {Map<number, Profile>} */
const kept = new Map();

/** The profile of tiles of one suit. @param {number[]} counts @returns {Profile} */
function profileOf(counts) {
  const key = counts.reduce((digits, count) => 5 * digits + count, 0);
  let profile = kept.get(key);
  if (profile === undefined) {
    profile = takenApart(counts);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, profile);
  }
  return profile;
}

/** @param {number[]} counts @returns {Profile} */
function takenApart(counts) {
  const best = new Array(ENTRIES).fill(-1);
  const lowest = counts.findIndex((count) => count > 0);
  if (lowest < 0) return [0, ...best.slice(1)];
  for (const part of PARTS) {
    const rest = without(counts, lowest, part.tiles);
    if (rest !== null) improve(best, profileOf(rest), part.entry, part.partners);
  }
  return best;
}

/** The counts without these tiles, or null if they are not there. @param {number[]} counts @param {number} lowest @param {number[]} tiles */
function without(counts, lowest, tiles) {
  const rest = counts.slice();
  for (let index = 0; index < tiles.length; index += 1) {
    if (!(rest[lowest + index] >= tiles[index])) return null;
    rest[lowest + index] -= tiles[index];
  }
  return rest;
}

/** Takes over a profile's entries together with one more part. @param {Profile} best @param {Profile} rest @param {number} entry @param {number} partners */
function improve(best, rest, entry, partners) {
  for (let from = 0; from + entry < ENTRIES; from += 1) {
    const isSecondPair = (entry & from & 1) === 1;
    if (rest[from] < 0 || isSecondPair) continue;
    best[from + entry] = Math.max(best[from + entry], rest[from] + partners);
  }
}

/** The profile of two suits together. @param {Profile} one @param {Profile} other */
function joined(one, other) {
  const best = new Array(ENTRIES).fill(-1);
  one.forEach((partners, entry) => {
    if (partners >= 0) improve(best, other, entry, partners);
  });
  return best;
}

/** @param {Uint8Array} hand */
function ordinary(hand) {
  const suits = [0, 1, 2].map((suit) => profileOf([...hand.subarray(suit * RANKS, (suit + 1) * RANKS)]));
  const all = joined(joined(suits[0], suits[1]), suits[2]);
  const worths = all.map((partners, entry) => {
    const melds = entry >> 1;
    return partners < 0 ? 0 : 2 * melds + Math.min(partners, MOST_SETS - melds) + (entry & 1);
  });
  return 8 - Math.max(...worths);
}

/** The distance of a hand of 13 or 14 tiles: 0 is ready, -1 has won. @param {Uint8Array} hand */
export function distance(hand) {
  const pairs = hand.reduce((sum, count) => sum + (count >> 1), 0);
  return Math.min(ordinary(hand), 6 - pairs);
}

/** The tiles that bring a hand one step nearer, without those of which it has all four. @param {Uint8Array} hand */
export function usefulTiles(hand) {
  const now = distance(hand);
  const useful = [];
  for (let tile = 0; tile < KINDS; tile += 1) {
    if (hand[tile] < COPIES && distance(withTile(hand, tile)) < now) useful.push(tile);
  }
  return useful;
}
