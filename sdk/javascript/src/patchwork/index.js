/** Patchwork. The rules: `judge/games/src/patchwork/README.md`. */
import { changed } from '../changed.js';
import { OPEN, otherSeat } from '../result.js';
import { SIDE, patch } from './patches.js';
import { covered, emptySquares, fits, hasBlock } from './quilt.js';

export { PATCHES, SIDE, patch } from './patches.js';
export { covered, emptySquares, fits, hasBlock, isCovered } from './quilt.js';

/** The game's name in the protocol. */
export const name = 'patchwork';

/** The last square of the track. */
export const LAST = 53;

/** Squares that pay the income of the quilt. */
export const INCOME = [5, 11, 17, 23, 29, 35, 41, 47, 53];

/** Squares that give a special patch to the first player there. */
export const SPECIAL = [20, 26, 32, 44, 50];

/** The letter of the special patch. */
export const SPECIAL_PATCH = 'h';

/**
 * A move: a patch with the top left corner of its box and its orientation (0 to 7), or `ADVANCE`.
 * @typedef {{ patch: string, column: number, row: number, orientation: number }} Move
 */

/** The move that advances to the square after the other token. @type {Move} */
export const ADVANCE = { patch: '.', column: 0, row: 0, orientation: 0 };

/**
 * The possessions of a player.
 * @typedef {object} Side
 * @property {number[]} quilt covered squares: a bit for each column in each of nine rows
 * @property {number} time the square of the time token
 * @property {number} buttons
 * @property {number} income buttons that each income square brings
 */

/** A position, and everything else that the bot knows of the round. */
export class State {
  /** The bot's seat. */
  seat = 1;
  /** True if the first full block of 7 by 7 squares earns 7 points. */
  sevenBySeven = false;
  /** The patches that are left, from the neutral token on: the first three are on offer. */
  circle = '';
  /** The sides of seat 1 and seat 2. @type {Side[]} */
  sides = [newSide(), newSide()];
  /** The seat on turn; once the game is over, the one that moved last. */
  turn = 1;
  /** True if the seat on turn must lay a special patch now. */
  pending = false;
  /** The seat that was first on the last square, or 0. */
  firstAtEnd = 0;
  /** The seat that has the bonus for the first block, or 0. */
  firstBlock = 0;
  /** Characters of the text of the game so far. */
  length = 0;
  /** The move made last. @type {Move | null} */
  lastMove = null;
}

/** @returns {Side} */
function newSide() {
  return { quilt: new Array(SIDE).fill(0), time: 0, buttons: 5, income: 0 };
}

/** The state before the circle is known. @param {import('../greeting.js').Greeting} greeting */
export function start({ seat, options }) {
  return changed(new State(), { seat, sevenBySeven: options.seven_by_seven === 'true' });
}

/** @param {State} state @param {string[]} words */
export function hear(state, [word, text]) {
  if (word === 'circle') return changed(state, { circle: fromToken(text) });
  return word === 'opponent' ? apply(state, parseMove(text)) : state;
}

/** The letters of a circle from the neutral token on, which starts after `A`. @param {string} circle */
function fromToken(circle) {
  const at = circle.indexOf('A') + 1;
  return circle.slice(at) + circle.slice(0, at);
}

/** The question has all moves so far; those that the state does not have yet are made. @param {State} state @param {string[]} words */
export function ask(state, [, text]) {
  return text === '-' ? state : parseMoves(text.slice(state.length)).reduce(apply, state);
}

/** Reads `<circle> <all moves, or ->`; the bot has the seat on turn. @param {string} text */
export function parseState(text) {
  const [circle, moves] = text.split(' ');
  const begun = changed(new State(), { circle: fromToken(circle) });
  const state = ask(begun, ['move?', moves]);
  return Object.assign(state, { seat: state.turn });
}

/** Reads moves that follow each other without a space. @param {string} text */
export function parseMoves(text) {
  return [...text.matchAll(/\.|..../g)].map(([token]) => parseMove(token));
}

/** Reads a move such as `BDCA` or `.`. @param {string} text @returns {Move} */
export function parseMove(text) {
  if (text === ADVANCE.patch) return ADVANCE;
  const [column, row, orientation] = [1, 2, 3].map((at) => text.charCodeAt(at) - 65);
  return { patch: text[0], column, row, orientation };
}

/** Writes a move as the judge reads it. @param {Move} move */
export function formatMove(move) {
  if (move.patch === ADVANCE.patch) return ADVANCE.patch;
  const letters = [move.column, move.row, move.orientation];
  return move.patch + letters.map((number) => String.fromCharCode(65 + number)).join('');
}

/** The patches on offer. @param {State} state */
export function offer(state) {
  return [...state.circle.slice(0, 3)].map(patch);
}

/** True if both tokens are on the last square and no patch is left to lay. @param {State} state */
export function isOver({ sides, pending }) {
  return sides.every(({ time }) => time === LAST) && !pending;
}

/** The patches that can be laid now. @param {State} state */
function layable(state) {
  if (state.pending) return [patch(SPECIAL_PATCH)];
  const { buttons } = state.sides[state.turn - 1];
  return offer(state).filter(({ cost }) => cost <= buttons);
}

/**
 * The legal moves, one for each shape and place: by patch, orientation, row and column; `ADVANCE`
 * comes last.
 * @param {State} state
 */
export function legalMoves(state) {
  /** @type {Move[]} */
  const moves = [];
  if (isOver(state)) return moves;
  for (const each of layable(state)) {
    for (const shape of each.distinct) addPlaces(moves, state, each.letter, shape);
  }
  if (!state.pending) moves.push(ADVANCE);
  return moves;
}

/** @param {Move[]} moves @param {State} state @param {string} letter @param {import('./patches.js').Shape} shape */
function addPlaces(moves, { sides, turn }, letter, shape) {
  const { quilt } = sides[turn - 1];
  const { orientation } = shape;
  for (let row = 0; row + shape.height <= SIDE; row += 1) {
    for (let column = 0; column + shape.width <= SIDE; column += 1) {
      if (fits(quilt, shape, column, row)) moves.push({ patch: letter, column, row, orientation });
    }
  }
}

/** The state after a legal move. @param {State} state @param {Move} move */
export function apply(state, move) {
  const next = changed(state, { sides: state.sides.slice(), lastMove: move });
  const own = { ...next.sides[next.turn - 1] };
  next.sides[next.turn - 1] = own;
  next.length += formatMove(move).length;
  if (move.patch === ADVANCE.patch) advance(next, own);
  else lay(next, own, move);
  passTurn(next);
  return next;
}

/** @param {State} state @param {Side} own */
function advance(state, own) {
  const other = state.sides[otherSeat(state.turn) - 1];
  const steps = Math.min(other.time + 1, LAST) - own.time;
  own.buttons += steps;
  go(state, own, steps);
}

/** @param {State} state @param {Side} own @param {Move} move */
function lay(state, own, move) {
  const { letter, cost, time, income, shapes } = patch(move.patch);
  own.quilt = covered(own.quilt, shapes[move.orientation], move.column, move.row);
  own.buttons -= cost;
  own.income += income;
  if (state.sevenBySeven && state.firstBlock === 0 && hasBlock(own.quilt)) state.firstBlock = state.turn;
  if (letter === SPECIAL_PATCH) {
    state.pending = false;
    return;
  }
  const at = state.circle.indexOf(letter);
  state.circle = state.circle.slice(at + 1) + state.circle.slice(0, at);
  go(state, own, time);
}

/** Moves the token, and gives the rewards of the squares on the way. @param {State} state @param {Side} own @param {number} steps */
function go(state, own, steps) {
  const from = own.time;
  const furthest = Math.max(from, state.sides[otherSeat(state.turn) - 1].time);
  own.time = Math.min(from + steps, LAST);
  own.buttons += own.income * INCOME.filter((square) => from < square && square <= own.time).length;
  const earned = SPECIAL.some((square) => furthest < square && square <= own.time);
  // On a full quilt the special patch is lost.
  state.pending = earned && emptySquares(own.quilt) > 0;
  if (own.time === LAST && state.firstAtEnd === 0) state.firstAtEnd = state.turn;
}

/** The player further back moves; on equal squares the one who came there last. @param {State} state */
function passTurn(state) {
  const other = otherSeat(state.turn);
  const isBehind = state.sides[other - 1].time < state.sides[state.turn - 1].time;
  if (!state.pending && isBehind) state.turn = other;
}

/** The scores of seat 1 and seat 2, as if the game ended now. @param {State} state */
export function score(state) {
  return state.sides.map(({ quilt, buttons }, index) => {
    const bonus = state.firstBlock === index + 1 ? 7 : 0;
    return buttons - 2 * emptySquares(quilt) + bonus;
  });
}

/** The seat that has won, or `OPEN`; with equal scores the first at the end. @param {State} state */
export function result(state) {
  if (!isOver(state)) return OPEN;
  const [one, two] = score(state);
  if (one === two) return state.firstAtEnd;
  return one > two ? 1 : 2;
}
