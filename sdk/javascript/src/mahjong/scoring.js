/** Winning hands and their worth. */
import { COPIES, KINDS, RANKS, withTile } from './tiles.js';

/** Tiles of a hand that can win. */
const WINNING = 14;

/**
 * The rules of a testcase.
 * @typedef {object} Rules
 * @property {boolean} voidSuit true if a winning hand must not use all three suits
 * @property {number} allTriplets factor of four triplets and a pair
 * @property {number} fullFlush factor of a hand of one suit
 * @property {number} sevenPairs factor of seven pairs
 * @property {number} root factor of each four equal tiles
 */

/** The rules where a testcase says nothing else. @type {Rules} */
export const DEFAULT_RULES = { voidSuit: false, allTriplets: 2, fullFlush: 4, sevenPairs: 4, root: 2 };

/**
 * The worth of a winning hand, and the reasons for it.
 * @typedef {object} Win
 * @property {number} faan
 * @property {boolean} sevenPairs true if it counts as seven pairs
 * @property {boolean} allTriplets
 * @property {boolean} fullFlush
 * @property {number} roots
 */

/** Faan of a hand of 14 tiles; 0 when it does not win. @param {Uint8Array} hand @param {Rules} rules */
export function faan(hand, rules = DEFAULT_RULES) {
  return winOf(hand, rules)?.faan ?? 0;
}

/** Faan of a hand of 13 tiles and one more; 0 when they do not win. @param {Uint8Array} hand @param {number} tile @param {Rules} rules */
export function faanWith(hand, tile, rules = DEFAULT_RULES) {
  return hand[tile] < COPIES ? faan(withTile(hand, tile), rules) : 0;
}

/** The score of a round for its winner. @param {number} worth in Faan @param {number} wallLeft tiles left in the wall */
export function roundScore(worth, wallLeft) {
  return worth > 0 ? 3 * worth + wallLeft : 0;
}

/** The worth of a hand in its best reading; null if it does not win. @param {Uint8Array} hand @param {Rules} rules @returns {Win | null} */
export function winOf(hand, rules = DEFAULT_RULES) {
  const suits = [0, 1, 2].map((suit) => hand.subarray(suit * RANKS, (suit + 1) * RANKS));
  const lengths = suits.map(sum);
  const used = lengths.filter((length) => length > 0).length;
  if (lengths[0] + lengths[1] + lengths[2] !== WINNING || (rules.voidSuit && used === 3)) return null;
  const isPairs = hand.every((count) => count % 2 === 0);
  const isOrdinary = lengths.every((length) => length % 3 !== 1) && suits.every(isSuit);
  return isPairs || isOrdinary ? bestReading(hand, rules, isPairs, isOrdinary, used === 1) : null;
}

/** @param {Uint8Array} hand @param {Rules} rules @param {boolean} isPairs @param {boolean} isOrdinary @param {boolean} fullFlush @returns {Win} */
function bestReading(hand, rules, isPairs, isOrdinary, fullFlush) {
  const roots = hand.filter((count) => count === COPIES).length;
  const triplets = isOrdinary && isAllTriplets(hand);
  const asPairs = isPairs ? rules.sevenPairs : 0;
  const asOrdinary = isOrdinary ? (triplets ? rules.allTriplets : 1) : 0;
  const shared = (fullFlush ? rules.fullFlush : 1) * rules.root ** roots;
  const sevenPairs = asPairs > asOrdinary;
  const worth = shared * Math.max(asPairs, asOrdinary);
  return { faan: worth, sevenPairs, allTriplets: triplets && !sevenPairs, fullFlush, roots };
}

/** @param {Uint8Array} hand */
function isAllTriplets(hand) {
  const pairs = hand.filter((count) => count === 2).length;
  return pairs === 1 && hand.every((count) => count === 0 || count === 2 || count === 3);
}

/** @param {Uint8Array} counts */
function sum(counts) {
  return counts.reduce((total, count) => total + count, 0);
}

/** True if the tiles of a suit are melds, with a pair if their number calls for one. @param {Uint8Array} suit */
function isSuit(suit) {
  if (sum(suit) % 3 === 0) return isMelds(suit.slice());
  return suit.some((count, rank) => {
    const rest = suit.slice();
    rest[rank] -= 2;
    return count >= 2 && isMelds(rest);
  });
}

/** True if tiles are triplets and sequences: at the lowest rank, tiles outside triplets begin sequences. @param {Uint8Array} counts */
function isMelds(counts) {
  for (let rank = 0; rank < RANKS; rank += 1) {
    const sequences = counts[rank] % 3;
    if (sequences === 0) continue;
    if (rank + 2 >= RANKS || counts[rank + 1] < sequences || counts[rank + 2] < sequences) return false;
    counts[rank + 1] -= sequences;
    counts[rank + 2] -= sequences;
  }
  return true;
}

/** The tiles that complete a hand of 13. @param {Uint8Array} hand @param {Rules} rules */
export function waits(hand, rules = DEFAULT_RULES) {
  const tiles = [];
  for (let tile = 0; tile < KINDS; tile += 1) {
    if (faanWith(hand, tile, rules) > 0) tiles.push(tile);
  }
  return tiles;
}
