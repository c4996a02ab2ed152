/** Arcade Mahjong. The rules: `judge/games/src/mahjong/README.md`. */
import { changed } from '../changed.js';
import { DRAW, OPEN, otherSeat } from '../result.js';
import { DEFAULT_RULES, faanWith, roundScore } from './scoring.js';
import { KINDS, formatTile, parseTile, withTile, withoutTile } from './tiles.js';

export { distance, usefulTiles } from './distance.js';
export { DEFAULT_RULES, faan, faanWith, roundScore, waits, winOf } from './scoring.js';
export {
  COPIES, KINDS, RANKS, formatHand, formatTile, parseHand, parseTile, rankOf, suitOf, tilesOf,
  withTile, withoutTile,
} from './tiles.js';

/** The game's name in the protocol. */
export const name = 'mahjong';

/** The move that wins. */
export const YES = KINDS;

/** The move that does not win, and plays on. */
export const NO = KINDS + 1;

/** Tiles in the wall after the deal. */
const WALL = 82;

/** Tiles dealt to each side. */
const DEALT = 13;

/**
 * A move: the tile to discard, or `YES` or `NO` to winning.
 * @typedef {number} Move
 */

/** Everything that the bot sees of a round. */
export class State {
  /** The bot's seat. */
  seat = 1;
  /** The rules of scoring. */
  rules = DEFAULT_RULES;
  /** The number of each tile in the bot's hand: 13 in all, 14 when it must discard one. */
  hand = new Uint8Array(KINDS);
  /** The question to the bot: 'discard', 'win-self', 'win-discard', or '' when it is not its turn. */
  question = '';
  /** The tile that completes the hand, when the bot is asked to win; -1 otherwise. */
  offered = -1;
  /** The tile drawn last, -1 before the first. */
  drawn = -1;
  /** Tiles that the bot has drawn, the dealt ones included. */
  draws = 0;
  /** The bot's discards, in order. @type {number[]} */
  river = [];
  /** The other side's discards, in order. @type {number[]} */
  otherRiver = [];
  /** Faan of the hand with which the bot has won, 0 before. */
  won = 0;
  /** The end of the round for the bot: 'win', 'loss' or 'draw'; '' until then. */
  ended = '';
}

/** The state before the first tile. @param {import('../greeting.js').Greeting} greeting */
export function start({ seat, options }) {
  const rules = {
    voidSuit: options.void_suit === 'true',
    allTriplets: Number(options.all_triplets),
    fullFlush: Number(options.full_flush),
    sevenPairs: Number(options.seven_pairs),
    root: Number(options.root),
  };
  return changed(new State(), { seat, rules });
}

/** @param {State} state @param {string[]} words */
export function hear(state, words) {
  const word = words[0];
  const text = words[1];
  if (word === 'end') return changed(state, { ended: text });
  const tile = parseTile(text);
  if (word === 'opponent') return changed(state, { otherRiver: [...state.otherRiver, tile] });
  if (word !== 'draw') return state;
  return changed(state, { hand: withTile(state.hand, tile), drawn: tile, draws: state.draws + 1 });
}

/** @param {State} state @param {string[]} words */
export function ask(state, [word, tile, how]) {
  if (word === 'discard?') return changed(state, { question: 'discard' });
  return changed(state, { question: `win-${how}`, offered: parseTile(tile) });
}

/** Reads an answer: a tile, `yes` or `no`. @param {string} text @returns {Move} */
export function parseMove(text) {
  if (text === 'yes') return YES;
  return text === 'no' ? NO : parseTile(text);
}

/** Writes a move as the judge reads it. @param {Move} move */
export function formatMove(move) {
  if (move === YES) return 'yes';
  return move === NO ? 'no' : formatTile(move);
}

/** The legal moves: each tile in hand once, or `NO` and `YES`. @param {State} state */
export function legalMoves({ question, hand }) {
  if (question !== 'discard') return question === '' ? [] : [NO, YES];
  /** @type {Move[]} */
  const moves = [];
  hand.forEach((count, tile) => {
    if (count > 0) moves.push(tile);
  });
  return moves;
}

/** The state after a legal move, as far as the bot knows it: the next draw comes as a notice. @param {State} state @param {Move} move */
export function apply(state, move) {
  if (move === YES) return changed(state, { won: faanWith(state.hand, state.offered, state.rules) });
  const asked = changed(state, { question: '', offered: -1 });
  if (move === NO) return asked;
  return changed(asked, { hand: withoutTile(state.hand, move), river: [...state.river, move] });
}

/** Tiles left in the wall; correct even before a draw or discard is announced. @param {State} state */
export function wallLeft({ question, draws, otherRiver }) {
  const own = Math.max(draws - DEALT, 0) + (question === 'win-self' ? 1 : 0);
  // The other side drew every tile that it has discarded.
  return WALL - own - otherRiver.length - (question === 'win-discard' ? 1 : 0);
}

/** The scores of seat 1 and seat 2: both are 0 until the bot has won. @param {State} state */
export function score(state) {
  const own = roundScore(state.won, wallLeft(state));
  return state.seat === 1 ? [own, 0] : [0, own];
}

/** The seat that has won, `DRAW`, or `OPEN`. @param {State} state */
export function result({ seat, won, ended }) {
  if (won > 0 || ended === 'win') return seat;
  if (ended === 'loss') return otherSeat(seat);
  return ended === 'draw' ? DRAW : OPEN;
}
