// Capturing & Conquering. The rules: `judge/games/src/cc/README.md`.
import { Greeting, number } from "./greeting";
import { EMPTY, STRIDE, columnOf, emptyBoard, rowOf, squareAt, squaresWith } from "./mailbox";
import { Game } from "./player";
import { DRAW, OPEN, otherSeat } from "./result";

export { EMPTY, WALL, columnOf, rowOf, squareAt } from "./mailbox";

/** Most moves that `legalMoves` lists by default; hardly any position has as many. */
export const MOST_LISTED = 65536;

/** The steps of seat 1, towards its corner; those of seat 2 are the opposite ones. */
const STEPS: StaticArray<i32> = [STRIDE, 1, STRIDE + 1];

/** The eight directions of jumps, in the order in which they are tried. */
const JUMPS: StaticArray<i32> = [
  -STRIDE, 1, 1 - STRIDE, STRIDE + 1, STRIDE, -1, STRIDE - 1, -STRIDE - 1,
];

/** A move: every square on a man's way, from its start to its end. */
export class Move {
  constructor(public path: i32[]) {}
}

/** A position, and everything else that the bot knows of the round. */
export class State {
  /** The bot's seat: 1 runs to the bottom right corner, 2 to the top left. */
  seat: i32 = 1;
  /** Rows and columns. */
  size: i32 = 8;
  /** The contents of each square: `EMPTY`, or the seat of the man there. */
  board: Uint8Array = new Uint8Array(0);
  /** The seat on turn. */
  turn: i32 = 1;
  /** Moves that the players have made. */
  plies: i32 = 0;
  /** Number of moves after which the game is drawn; 0 for no limit. */
  maxPlies: i32 = 0;
  /** The move made last, if it is known. */
  lastMove: Move | null = null;
  /** False until the first question, which is the first to show the random opening. */
  known: bool = false;

  /** The same state once more, with the same board. */
  copy(): State {
    const state = new State();
    state.seat = this.seat;
    state.size = this.size;
    state.board = this.board;
    state.turn = this.turn;
    state.plies = this.plies;
    state.maxPlies = this.maxPlies;
    state.lastMove = this.lastMove;
    state.known = this.known;
    return state;
  }
}

/** The state before the first question. */
export function start(greeting: Greeting): State {
  const state = new State();
  const size = number(greeting.option("size"));
  state.seat = greeting.seat;
  state.size = size;
  state.board = emptyBoard(size);
  for (let row = 0; row < size / 2; row++) {
    for (let column = 0; row + column < size / 2; column++) {
      state.board[squareAt(row, column)] = 1;
      state.board[squareAt(size - 1 - row, size - 1 - column)] = 2;
    }
  }
  state.maxPlies = number(greeting.option("max_plies"));
  state.known = greeting.option("opening") == "0";
  return state;
}

/** The state after a notice. */
export function hear(state: State, words: string[]): State {
  if (words[0] != "opponent") return state;
  const move = parseMove(words[1]);
  if (state.known) return apply(state, move);
  const next = state.copy();
  next.lastMove = move;
  next.plies++;
  return next;
}

/** The state with a question. */
export function ask(state: State, words: string[]): State {
  const next = parseState(words[1]);
  next.seat = state.seat;
  next.plies = state.plies;
  next.maxPlies = state.maxPlies;
  next.lastMove = state.lastMove;
  return next;
}

/** Reads a position as the question spells it; the bot has the seat on turn. */
export function parseState(text: string): State {
  const state = new State();
  let size = 1;
  while (1 + 2 * size * size < text.length) size++;
  state.size = size;
  state.board = emptyBoard(size);
  for (let index = 0; index < size * size; index++) {
    const man = text.substr(1 + 2 * index, 2);
    const content: u8 = man == "01" ? 1 : man == "11" ? 2 : EMPTY;
    state.board[squareAt(index / size, index % size)] = content;
  }
  state.turn = text.charAt(0) == "0" ? 1 : 2;
  state.seat = state.turn;
  state.known = true;
  return state;
}

/** Writes a position as the question does. */
export function formatState(state: State): string {
  let text = (state.turn - 1).toString();
  for (let index = 0; index < state.size * state.size; index++) {
    const content = state.board[squareAt(index / state.size, index % state.size)];
    text += content == 1 ? "01" : content == 2 ? "11" : "00";
  }
  return text;
}

/** Reads a move such as `0,1>2,3>2,5`. */
export function parseMove(text: string): Move {
  const path: i32[] = [];
  const squares = text.split(">");
  for (let i = 0; i < squares.length; i++) {
    const numbers = squares[i].split(",");
    path.push(squareAt(number(numbers[0]), number(numbers[1])));
  }
  return new Move(path);
}

/** Writes a move as the judge reads it. */
export function formatMove(move: Move): string {
  let text = "";
  for (let i = 0; i < move.path.length; i++) {
    if (i > 0) text += ">";
    text += rowOf(move.path[i]).toString() + "," + columnOf(move.path[i]).toString();
  }
  return text;
}

/** The squares of a seat's men. */
export function men(state: State, seat: i32): i32[] {
  return squaresWith(state.board, seat);
}

/** The corner that a seat runs to. */
export function target(state: State, seat: i32): i32 {
  return seat == 1 ? squareAt(state.size - 1, state.size - 1) : squareAt(0, 0);
}

/** The square of the man that a move captures: the first enemy jumped over; 0 for none. */
export function captured(state: State, move: Move): i32 {
  const path = move.path;
  for (let i = 1; i < path.length; i++) {
    const over = (path[i - 1] + path[i]) / 2;
    // A step has no square in between.
    if (isJump(path[i - 1], path[i]) && state.board[over] == otherSeat(state.turn)) return over;
  }
  return 0;
}

function isJump(from: i32, to: i32): bool {
  return abs(rowOf(from) - rowOf(to)) == 2 || abs(columnOf(from) - columnOf(to)) == 2;
}

/** The search of one man's chains of jumps. */
class Chains {
  // Squares that were jumped over keep the man that was there, but marked here.
  private board: Uint8Array;
  private jumped: Uint8Array;
  private enemy: i32;

  constructor(
    state: State,
    private moves: Move[],
    private most: i32,
  ) {
    this.board = state.board.slice();
    this.jumped = new Uint8Array(state.board.length);
    this.enemy = otherSeat(state.turn);
  }

  /** Lists every continuation of a chain. */
  from(path: i32[], taken: bool): void {
    for (let i = 0; i < 8; i++) {
      const over = path[path.length - 1] + JUMPS[i];
      if (this.canJump(over, JUMPS[i])) this.jump(path, over, over + JUMPS[i], taken);
    }
  }

  private canJump(over: i32, jump: i32): bool {
    const man = this.board[over];
    return (man == 1 || man == 2) && this.jumped[over] == 0 && this.board[over + jump] == EMPTY;
  }

  private jump(path: i32[], over: i32, to: i32, taken: bool): void {
    if (this.moves.length >= this.most) return;
    const man = this.board[over];
    const takes = !taken && man == this.enemy;
    // The first enemy jumped over is gone at once, so that its square can be landed on.
    if (takes) this.board[over] = EMPTY;
    this.jumped[over] = 1;
    const longer = path.slice();
    longer.push(to);
    this.moves.push(new Move(longer));
    this.from(longer, taken || takes);
    this.jumped[over] = 0;
    this.board[over] = man;
  }
}

/** The legal moves, at most `most`: man by man, its steps before its chains; none at the end. */
export function legalMoves(state: State, most: i32 = MOST_LISTED): Move[] {
  const moves: Move[] = [];
  if (decided(state) != OPEN) return moves;
  const chains = new Chains(state, moves, most);
  const own = men(state, state.turn);
  const forward = state.turn == 1 ? 1 : -1;
  for (let i = 0; i < own.length; i++) {
    for (let j = 0; j < 3; j++) {
      const to = own[i] + forward * STEPS[j];
      if (state.board[to] == EMPTY && moves.length < most) moves.push(new Move([own[i], to]));
    }
    chains.from([own[i]], false);
  }
  return moves;
}

/** The state after a legal move. */
export function apply(state: State, move: Move): State {
  const next = state.copy();
  next.board = state.board.slice();
  next.board[move.path[0]] = EMPTY;
  next.board[move.path[move.path.length - 1]] = u8(state.turn);
  const taken = captured(state, move);
  if (taken > 0) next.board[taken] = EMPTY;
  next.turn = otherSeat(state.turn);
  next.plies++;
  next.lastMove = move;
  return next;
}

/** The result, but for a side on turn that cannot move. */
function decided(state: State): i32 {
  const mover = otherSeat(state.turn);
  if (state.board[target(state, mover)] == mover) return mover;
  if (men(state, state.turn).length == 1) return men(state, mover).length == 1 ? DRAW : mover;
  return state.maxPlies > 0 && state.plies >= state.maxPlies ? DRAW : OPEN;
}

/** The seat that has won, `DRAW`, or `OPEN`. */
export function result(state: State): i32 {
  const ended = decided(state);
  return ended == OPEN && legalMoves(state, 1).length == 0 ? DRAW : ended;
}

/** The scores of seat 1 and seat 2: 2 for a win, 1 for a draw, also while the game is open. */
export function score(state: State): i32[] {
  const winner = result(state);
  if (winner == OPEN || winner == DRAW) return [1, 1];
  return winner == 1 ? [2, 0] : [0, 2];
}

/** The game, for `run`. */
export const game = new Game<State, Move>(
  "cc", start, hear, ask, (state: State): Move[] => legalMoves(state), apply, score, result,
  formatMove, parseMove,
);
