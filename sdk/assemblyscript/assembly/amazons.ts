// The Game of the Amazons. The rules: `judge/games/src/amazons/README.md`.
import { Greeting, number } from "./greeting";
import { EMPTY, STRIDE, columnOf, emptyBoard, rowOf, squareAt, squaresWith } from "./mailbox";
import { Game } from "./player";
import { OPEN, otherSeat } from "./result";

export { EMPTY, WALL, columnOf, rowOf, squareAt } from "./mailbox";

/** A burnt square; an amazon is on the board as the number of its seat, 1 or 2. */
export const ARROW: u8 = 3;

/** The letters of a position, by the contents of their squares. */
const CONTENTS = ".wbx";

/** The eight directions, in the order in which moves are listed. */
export const DIRECTIONS: StaticArray<i32> = [
  1, -1, STRIDE, -STRIDE, STRIDE + 1, -STRIDE - 1, 1 - STRIDE, STRIDE - 1,
];

/** A move: which amazon goes where, and which square its arrow burns. */
export class Move {
  constructor(
    public from: i32,
    public to: i32,
    public arrow: i32,
  ) {}
}

/** A position, and everything else that the bot knows of the round. */
export class State {
  /** The bot's seat: 1 is White, 2 is Black. */
  seat: i32 = 1;
  /** Rows and columns. */
  size: i32 = 10;
  /** The contents of each square. */
  board: Uint8Array = new Uint8Array(0);
  /** The seat on turn. */
  turn: i32 = 1;
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
    state.lastMove = this.lastMove;
    state.known = this.known;
    return state;
  }
}

/** The state before the first question. */
export function start(greeting: Greeting): State {
  const state = new State();
  state.seat = greeting.seat;
  state.size = number(greeting.option("size"));
  state.board = emptyBoard(state.size);
  const white = greeting.option("white").split(",");
  for (let i = 0; i < white.length; i++) state.board[parseSquare(white[i])] = 1;
  const black = greeting.option("black").split(",");
  for (let i = 0; i < black.length; i++) state.board[parseSquare(black[i])] = 2;
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
  return next;
}

/** The state with a question. */
export function ask(state: State, words: string[]): State {
  const next = parseState(words[1] + " " + words[2]);
  next.seat = state.seat;
  next.lastMove = state.lastMove;
  return next;
}

/** Reads a position such as `1b2/3b/w3/2w1 w`; the bot has the seat on turn. */
export function parseState(text: string): State {
  const words = text.split(" ");
  const lines = words[0].split("/");
  const state = new State();
  state.size = lines.length;
  state.board = emptyBoard(state.size);
  for (let i = 0; i < lines.length; i++) {
    readRow(state.board, squareAt(state.size - 1 - i, 0), lines[i]);
  }
  state.turn = words[1] == "w" ? 1 : 2;
  state.seat = state.turn;
  state.known = true;
  return state;
}

function readRow(board: Uint8Array, square: i32, line: string): void {
  let empty = 0;
  for (let i = 0; i < line.length; i++) {
    const digit = line.charCodeAt(i) - 48;
    if (digit >= 0 && digit <= 9) {
      empty = 10 * empty + digit;
      continue;
    }
    square += empty;
    empty = 0;
    board[square] = u8(CONTENTS.indexOf(line.charAt(i)));
    square++;
  }
}

/** Writes a position as the question does. */
export function formatState(state: State): string {
  const rows: string[] = [];
  for (let row = state.size - 1; row >= 0; row--) {
    let line = "";
    let empty = 0;
    for (let column = 0; column < state.size; column++) {
      const content = state.board[squareAt(row, column)];
      if (content == EMPTY) {
        empty++;
        continue;
      }
      if (empty > 0) line += empty.toString();
      empty = 0;
      line += CONTENTS.charAt(content);
    }
    rows.push(empty > 0 ? line + empty.toString() : line);
  }
  return rows.join("/") + " " + CONTENTS.charAt(state.turn);
}

/** Reads a square such as `d1`. */
export function parseSquare(text: string): i32 {
  return squareAt(number(text.substring(1)) - 1, text.charCodeAt(0) - 97);
}

/** Writes a square. */
export function formatSquare(square: i32): string {
  return String.fromCharCode(97 + columnOf(square)) + (rowOf(square) + 1).toString();
}

/** Reads a move such as `d1-d7/g7`. */
export function parseMove(text: string): Move {
  const dash = text.indexOf("-");
  const slash = text.indexOf("/");
  return new Move(
    parseSquare(text.substring(0, dash)),
    parseSquare(text.substring(dash + 1, slash)),
    parseSquare(text.substring(slash + 1)),
  );
}

/** Writes a move as the judge reads it. */
export function formatMove(move: Move): string {
  return formatSquare(move.from) + "-" + formatSquare(move.to) + "/" + formatSquare(move.arrow);
}

/** The squares of a seat's amazons. */
export function amazons(state: State, seat: i32): i32[] {
  return squaresWith(state.board, seat);
}

/** The squares that a queen on this one can go to. */
export function reach(state: State, from: i32): i32[] {
  const squares: i32[] = [];
  const board = state.board;
  for (let i = 0; i < 8; i++) {
    const step = DIRECTIONS[i];
    for (let to = from + step; board[to] == EMPTY; to += step) squares.push(to);
  }
  return squares;
}

/** The legal moves: by amazon, then by its new square, then by its arrow. */
export function legalMoves(state: State): Move[] {
  const moves: Move[] = [];
  const own = amazons(state, state.turn);
  for (let i = 0; i < own.length; i++) {
    const from = own[i];
    const targets = reach(state, from);
    state.board[from] = EMPTY;
    for (let j = 0; j < targets.length; j++) {
      const arrows = reach(state, targets[j]);
      for (let k = 0; k < arrows.length; k++) moves.push(new Move(from, targets[j], arrows[k]));
    }
    state.board[from] = u8(state.turn);
  }
  return moves;
}

/** The state after a legal move. */
export function apply(state: State, move: Move): State {
  const next = state.copy();
  next.board = state.board.slice();
  next.board[move.from] = EMPTY;
  next.board[move.to] = u8(state.turn);
  next.board[move.arrow] = ARROW;
  next.turn = otherSeat(state.turn);
  next.lastMove = move;
  return next;
}

/** The seat that has won, or `OPEN`: a seat on turn that cannot move has lost. */
export function result(state: State): i32 {
  const own = amazons(state, state.turn);
  for (let i = 0; i < own.length; i++) {
    for (let j = 0; j < 8; j++) {
      if (state.board[own[i] + DIRECTIONS[j]] == EMPTY) return OPEN;
    }
  }
  return otherSeat(state.turn);
}

/** The scores of seat 1 and seat 2: 1 for the winner. */
export function score(state: State): i32[] {
  const winner = result(state);
  return [winner == 1 ? 1 : 0, winner == 2 ? 1 : 0];
}

/** The game, for `run`. */
export const game = new Game<State, Move>(
  "amazons", start, hear, ask, legalMoves, apply, score, result, formatMove, parseMove,
);
