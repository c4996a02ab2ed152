/** The Game of the Amazons. The rules: `judge/games/src/amazons/README.md`. */
import { changed } from './changed.js';
import { EMPTY, STRIDE, columnOf, emptyBoard, rowOf, squareAt, squaresWith } from './mailbox.js';
import { OPEN, otherSeat } from './result.js';

export { EMPTY, WALL, columnOf, rowOf, squareAt } from './mailbox.js';

/** The game's name in the protocol. */
export const name = 'amazons';

/** A burnt square; an amazon is on the board as the number of its seat, 1 or 2. */
export const ARROW = 3;

/** The letters of a position, by the contents of their squares. */
const CONTENTS = '.wbx';

/** The eight directions, in the order in which moves are listed. */
export const DIRECTIONS = [1, -1, STRIDE, -STRIDE, STRIDE + 1, -STRIDE - 1, 1 - STRIDE, STRIDE - 1];

/**
 * A move: which amazon goes where, and which square its arrow burns.
 * @typedef {{ from: number, to: number, arrow: number }} Move
 */

/** A position, and everything else that the bot knows of the round. */
export class State {
  /** The bot's seat: 1 is White, 2 is Black. */
  seat = 1;
  /** Rows and columns. */
  size = 10;
  /** The contents of each square. */
  board = new Uint8Array(0);
  /** The seat on turn. */
  turn = 1;
  /** The move made last, if it is known. @type {Move | null} */
  lastMove = null;
  /** False until the first question, which is the first to show the random opening. */
  known = false;
}

/** The state before the first question. @param {import('./greeting.js').Greeting} greeting */
export function start({ seat, options }) {
  const size = Number(options.size);
  const board = emptyBoard(size);
  for (const square of options.white.split(',')) board[parseSquare(square)] = 1;
  for (const square of options.black.split(',')) board[parseSquare(square)] = 2;
  return changed(new State(), { seat, size, board, known: options.opening === '0' });
}

/** @param {State} state @param {string[]} words */
export function hear(state, [word, text]) {
  if (word !== 'opponent') return state;
  const move = parseMove(text);
  return state.known ? apply(state, move) : changed(state, { lastMove: move });
}

/** @param {State} state @param {string[]} words */
export function ask({ seat, lastMove }, [, rows, side]) {
  return changed(parseState(`${rows} ${side}`), { seat, lastMove });
}

/** Reads a position such as `1b2/3b/w3/2w1 w`; the bot has the seat on turn. @param {string} text */
export function parseState(text) {
  const [rows, side] = text.split(' ');
  const lines = rows.split('/');
  const size = lines.length;
  const board = emptyBoard(size);
  lines.forEach((line, index) => {
    readRow(board, squareAt(size - 1 - index, 0), line);
  });
  const turn = side === 'w' ? 1 : 2;
  return changed(new State(), { seat: turn, size, board, turn, known: true });
}

/** @param {Uint8Array} board @param {number} square @param {string} line */
function readRow(board, square, line) {
  for (const [part] of line.matchAll(/\d+|[wbx]/g)) {
    const content = CONTENTS.indexOf(part);
    if (content > 0) board[square] = content;
    square += content > 0 ? 1 : Number(part);
  }
}

/** Writes a position as the question does. @param {State} state */
export function formatState({ board, size, turn }) {
  const rows = [];
  for (let row = size - 1; row >= 0; row -= 1) {
    const cells = [...board.subarray(squareAt(row, 0), squareAt(row, size))];
    const line = cells.map((content) => CONTENTS[content]).join('');
    rows.push(line.replace(/\.+/g, (empty) => String(empty.length)));
  }
  return `${rows.join('/')} ${CONTENTS[turn]}`;
}

/** Reads a square such as `d1`. @param {string} text */
export function parseSquare(text) {
  return squareAt(Number(text.slice(1)) - 1, text.charCodeAt(0) - 97);
}

/** Writes a square. @param {number} square */
export function formatSquare(square) {
  return String.fromCharCode(97 + columnOf(square)) + (rowOf(square) + 1);
}

/** Reads a move such as `d1-d7/g7`. @param {string} text @returns {Move} */
export function parseMove(text) {
  const [from, to, arrow] = text.split(/[-/]/).map(parseSquare);
  return { from, to, arrow };
}

/** Writes a move as the judge reads it. @param {Move} move */
export function formatMove({ from, to, arrow }) {
  return `${formatSquare(from)}-${formatSquare(to)}/${formatSquare(arrow)}`;
}

/** The squares of a seat's amazons. @param {State} state @param {number} seat */
export function amazons(state, seat) {
  return squaresWith(state.board, seat);
}

/** The squares that a queen on this one can go to. @param {State} state @param {number} from */
export function reach({ board }, from) {
  const squares = [];
  for (const step of DIRECTIONS) {
    for (let to = from + step; board[to] === EMPTY; to += step) squares.push(to);
  }
  return squares;
}

/** The legal moves: by amazon, then by its new square, then by its arrow. @param {State} state */
export function legalMoves(state) {
  const { board, turn } = state;
  /** @type {Move[]} */
  const moves = [];
  for (const from of amazons(state, turn)) {
    const targets = reach(state, from);
    board[from] = EMPTY;
    for (const to of targets) {
      for (const arrow of reach(state, to)) moves.push({ from, to, arrow });
    }
    board[from] = turn;
  }
  return moves;
}

/** The state after a legal move. @param {State} state @param {Move} move */
export function apply(state, move) {
  const board = state.board.slice();
  board[move.from] = EMPTY;
  board[move.to] = state.turn;
  board[move.arrow] = ARROW;
  return changed(state, { board, turn: otherSeat(state.turn), lastMove: move });
}

/** The seat that has won, or `OPEN`: a seat on turn that cannot move has lost. @param {State} state */
export function result(state) {
  const { board, turn } = state;
  const canMove = (/** @type {number} */ from) => DIRECTIONS.some((step) => board[from + step] === EMPTY);
  return amazons(state, turn).some(canMove) ? OPEN : otherSeat(turn);
}

/** The scores of seat 1 and seat 2: 1 for the winner. @param {State} state */
export function score(state) {
  const winner = result(state);
  return [winner === 1 ? 1 : 0, winner === 2 ? 1 : 0];
}
