/** Capturing & Conquering. The rules: `judge/games/src/cc/README.md`. */
import { changed } from './changed.js';
import { EMPTY, STRIDE, columnOf, emptyBoard, rowOf, squareAt, squaresWith } from './mailbox.js';
import { DRAW, OPEN, otherSeat } from './result.js';

export { EMPTY, WALL, columnOf, rowOf, squareAt } from './mailbox.js';

/** The game's name in the protocol. */
export const name = 'cc';

/** Most moves that `legalMoves` lists by default; hardly any position has as many. */
export const MOST_LISTED = 65536;

/** The steps of seat 1 and seat 2, towards their corners. */
const STEPS = [
  [STRIDE, 1, STRIDE + 1],
  [-STRIDE, -1, -STRIDE - 1],
];

/** The eight directions of jumps, in the order in which they are tried. */
const JUMPS = [-STRIDE, 1, 1 - STRIDE, STRIDE + 1, STRIDE, -1, STRIDE - 1, -STRIDE - 1];

/**
 * A move: every square on a man's way, from its start to its end.
 * @typedef {{ path: number[] }} Move
 */

/** A position, and everything else that the bot knows of the round. */
export class State {
  /** The bot's seat: 1 runs to the bottom right corner, 2 to the top left. */
  seat = 1;
  /** Rows and columns. */
  size = 8;
  /** The contents of each square: `EMPTY`, or the seat of the man there. */
  board = new Uint8Array(0);
  /** The seat on turn. */
  turn = 1;
  /** Moves that the players have made. */
  plies = 0;
  /** Number of moves after which the game is drawn; 0 for no limit. */
  maxPlies = 0;
  /** The move made last, if it is known. @type {Move | null} */
  lastMove = null;
  /** False until the first question, which is the first to show the random opening. */
  known = false;
}

/** The state before the first question. @param {import('./greeting.js').Greeting} greeting */
export function start({ seat, options }) {
  const size = Number(options.size);
  const board = emptyBoard(size);
  const side = Math.floor(size / 2);
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; row + column < side; column += 1) {
      board[squareAt(row, column)] = 1;
      board[squareAt(size - 1 - row, size - 1 - column)] = 2;
    }
  }
  const maxPlies = Number(options.max_plies);
  return changed(new State(), { seat, size, board, maxPlies, known: options.opening === '0' });
}

/** @param {State} state @param {string[]} words */
export function hear(state, [word, text]) {
  if (word !== 'opponent') return state;
  const lastMove = parseMove(text);
  return state.known ? apply(state, lastMove) : changed(state, { lastMove, plies: state.plies + 1 });
}

/** @param {State} state @param {string[]} words */
export function ask({ seat, plies, maxPlies, lastMove }, [, text]) {
  return changed(parseState(text), { seat, plies, maxPlies, lastMove });
}

/** Reads a position as the question spells it; the bot has the seat on turn. @param {string} text */
export function parseState(text) {
  const size = Math.round(Math.sqrt((text.length - 1) / 2));
  const board = emptyBoard(size);
  for (let index = 0; index < size * size; index += 1) {
    const man = text.slice(1 + 2 * index, 3 + 2 * index);
    const content = man === '01' ? 1 : man === '11' ? 2 : EMPTY;
    board[squareAt(Math.floor(index / size), index % size)] = content;
  }
  const turn = text[0] === '0' ? 1 : 2;
  return changed(new State(), { seat: turn, size, board, turn, known: true });
}

/** Writes a position as the question does. @param {State} state */
export function formatState({ board, size, turn }) {
  let text = String(turn - 1);
  for (let index = 0; index < size * size; index += 1) {
    text += ['00', '01', '11'][board[squareAt(Math.floor(index / size), index % size)]];
  }
  return text;
}

/** Reads a move such as `0,1>2,3>2,5`. @param {string} text @returns {Move} */
export function parseMove(text) {
  const path = text.split('>').map((square) => {
    const [row, column] = square.split(',').map(Number);
    return squareAt(row, column);
  });
  return { path };
}

/** Writes a move as the judge reads it. @param {Move} move */
export function formatMove({ path }) {
  return path.map((square) => `${rowOf(square)},${columnOf(square)}`).join('>');
}

/** The squares of a seat's men. @param {State} state @param {number} seat */
export function men(state, seat) {
  return squaresWith(state.board, seat);
}

/** The corner that a seat runs to. @param {State} state @param {number} seat */
export function target({ size }, seat) {
  return seat === 1 ? squareAt(size - 1, size - 1) : squareAt(0, 0);
}

/** The square of the man that a move captures: the first enemy jumped over; 0 for none. @param {State} state @param {Move} move */
export function captured({ board, turn }, { path }) {
  for (let index = 1; index < path.length; index += 1) {
    const over = (path[index - 1] + path[index]) / 2;
    // A step has no square in between.
    if (isJump(path[index - 1], path[index]) && board[over] === otherSeat(turn)) return over;
  }
  return 0;
}

/** @param {number} from @param {number} to */
function isJump(from, to) {
  return Math.abs(rowOf(from) - rowOf(to)) === 2 || Math.abs(columnOf(from) - columnOf(to)) === 2;
}

/** The search of one man's chains of jumps. */
class Chains {
  /** @param {State} state @param {Move[]} moves @param {number} most */
  constructor(state, moves, most) {
    // Squares that were jumped over keep the man that was there, but marked here.
    this.board = state.board.slice();
    this.enemy = otherSeat(state.turn);
    this.jumped = new Uint8Array(this.board.length);
    this.moves = moves;
    this.most = most;
  }

  /** Lists every continuation of a chain. @param {number[]} path @param {boolean} taken */
  from(path, taken) {
    for (const jump of JUMPS) {
      const over = path[path.length - 1] + jump;
      if (this.#canJump(over, jump)) this.#jump(path, over, over + jump, taken);
    }
  }

  /** @param {number} over @param {number} jump */
  #canJump(over, jump) {
    const man = this.board[over];
    return (man === 1 || man === 2) && this.jumped[over] === 0 && this.board[over + jump] === EMPTY;
  }

  /** @param {number[]} path @param {number} over @param {number} to @param {boolean} taken */
  #jump(path, over, to, taken) {
    if (this.moves.length >= this.most) return;
    const man = this.board[over];
    const takes = !taken && man === this.enemy;
    // The first enemy jumped over is gone at once, so that its square can be landed on.
    if (takes) this.board[over] = EMPTY;
    this.jumped[over] = 1;
    const longer = [...path, to];
    this.moves.push({ path: longer });
    this.from(longer, taken || takes);
    this.jumped[over] = 0;
    this.board[over] = man;
  }
}

/**
 * The legal moves: man by man, its steps before its chains; none once the game is over.
 * @param {State} state @param {number} most upper bound on the number of moves
 */
export function legalMoves(state, most = MOST_LISTED) {
  /** @type {Move[]} */
  const moves = [];
  if (decided(state) !== OPEN) return moves;
  const chains = new Chains(state, moves, most);
  for (const from of men(state, state.turn)) {
    for (const step of STEPS[state.turn - 1]) {
      const free = state.board[from + step] === EMPTY && moves.length < most;
      if (free) moves.push({ path: [from, from + step] });
    }
    chains.from([from], false);
  }
  return moves;
}

/** The state after a legal move. @param {State} state @param {Move} move */
export function apply(state, move) {
  const { path } = move;
  const board = state.board.slice();
  board[path[0]] = EMPTY;
  board[path[path.length - 1]] = state.turn;
  const taken = captured(state, move);
  if (taken > 0) board[taken] = EMPTY;
  return changed(state, { board, turn: otherSeat(state.turn), plies: state.plies + 1, lastMove: move });
}

/** The result, but for a side on turn that cannot move. @param {State} state */
function decided(state) {
  const { board, turn, plies, maxPlies } = state;
  const mover = otherSeat(turn);
  if (board[target(state, mover)] === mover) return mover;
  if (men(state, turn).length === 1) return men(state, mover).length === 1 ? DRAW : mover;
  return maxPlies > 0 && plies >= maxPlies ? DRAW : OPEN;
}

/** The seat that has won, `DRAW`, or `OPEN`. @param {State} state */
export function result(state) {
  const ended = decided(state);
  return ended === OPEN && legalMoves(state, 1).length === 0 ? DRAW : ended;
}

/** The scores of seat 1 and seat 2: 2 for a win, 1 for a draw, also while the game is open. @param {State} state */
export function score(state) {
  const winner = result(state);
  if (winner === OPEN || winner === DRAW) return [1, 1];
  return winner === 1 ? [2, 0] : [0, 2];
}
