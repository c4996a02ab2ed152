// Patchwork. The rules: `judge/games/src/patchwork/README.md`.
import { Greeting } from "../greeting";
import { Game } from "../player";
import { OPEN, otherSeat } from "../result";
import { Patch, SIDE, Shape, patch } from "./patches";
import { covered, emptySquares, fits, hasBlock } from "./quilt";

export { PATCHES, Patch, SIDE, Shape, patch } from "./patches";
export { covered, emptySquares, fits, hasBlock, isCovered } from "./quilt";

/** The last square of the track. */
export const LAST = 53;

/** Squares that pay the income of the quilt. */
export const INCOME: StaticArray<i32> = [5, 11, 17, 23, 29, 35, 41, 47, 53];

/** Squares that give a special patch to the first player there. */
export const SPECIAL: StaticArray<i32> = [20, 26, 32, 44, 50];

/** The letter of the special patch. */
export const SPECIAL_PATCH = "h";

/** A move: a patch with the top left corner of its box and its orientation (0 to 7), or `ADVANCE`. */
export class Move {
  constructor(
    public patch: string,
    public column: i32,
    public row: i32,
    public orientation: i32,
  ) {}
}

/** The move that advances to the square after the other token. */
export const ADVANCE = new Move(".", 0, 0, 0);

/** The possessions of a player. */
export class Side {
  /** Covered squares: a bit for each column in each of nine rows. */
  quilt: i32[] = new Array<i32>(SIDE).fill(0);
  /** The square of the time token. */
  time: i32 = 0;
  buttons: i32 = 5;
  /** Buttons that each income square brings. */
  income: i32 = 0;

  /** The same once more, with the same quilt. */
  copy(): Side {
    const side = new Side();
    side.quilt = this.quilt;
    side.time = this.time;
    side.buttons = this.buttons;
    side.income = this.income;
    return side;
  }
}

/** A position, and everything else that the bot knows of the round. */
export class State {
  /** The bot's seat. */
  seat: i32 = 1;
  /** True if the first full block of 7 by 7 squares earns 7 points. */
  sevenBySeven: bool = false;
  /** The patches that are left, from the neutral token on: the first three are on offer. */
  circle: string = "";
  /** The sides of seat 1 and seat 2. */
  sides: Side[] = [new Side(), new Side()];
  /** The seat on turn; once the game is over, the one that moved last. */
  turn: i32 = 1;
  /** True if the seat on turn must lay a special patch now. */
  pending: bool = false;
  /** The seat that was first on the last square, or 0. */
  firstAtEnd: i32 = 0;
  /** The seat that has the bonus for the first block, or 0. */
  firstBlock: i32 = 0;
  /** Characters of the text of the game so far. */
  length: i32 = 0;
  /** The move made last. */
  lastMove: Move | null = null;

  /** The same state once more, with the same sides. */
  copy(): State {
    const state = new State();
    state.seat = this.seat;
    state.sevenBySeven = this.sevenBySeven;
    state.circle = this.circle;
    state.sides = this.sides.slice();
    state.turn = this.turn;
    state.pending = this.pending;
    state.firstAtEnd = this.firstAtEnd;
    state.firstBlock = this.firstBlock;
    state.length = this.length;
    state.lastMove = this.lastMove;
    return state;
  }
}

/** The state before the circle is known. */
export function start(greeting: Greeting): State {
  const state = new State();
  state.seat = greeting.seat;
  state.sevenBySeven = greeting.option("seven_by_seven") == "true";
  return state;
}

/** The state after a notice. */
export function hear(state: State, words: string[]): State {
  if (words[0] == "circle") {
    const next = state.copy();
    next.circle = fromToken(words[1]);
    return next;
  }
  return words[0] == "opponent" ? apply(state, parseMove(words[1])) : state;
}

/** The letters of a circle from the neutral token on, which starts after `A`. */
function fromToken(circle: string): string {
  const at = circle.indexOf("A") + 1;
  return circle.substring(at) + circle.substring(0, at);
}

/** The state with a question, which has all moves so far: the missing ones are made. */
export function ask(state: State, words: string[]): State {
  if (words[1] == "-") return state;
  const moves = parseMoves(words[1].substring(state.length));
  for (let i = 0; i < moves.length; i++) state = apply(state, moves[i]);
  return state;
}

/** Reads `<circle> <all moves, or ->`; the bot has the seat on turn. */
export function parseState(text: string): State {
  const words = text.split(" ");
  const begun = new State();
  begun.circle = fromToken(words[0]);
  const state = ask(begun, ["move?", words[1]]);
  state.seat = state.turn;
  return state;
}

/** Reads moves that follow each other without a space. */
export function parseMoves(text: string): Move[] {
  const moves: Move[] = [];
  for (let at = 0; at < text.length; at += text.charAt(at) == "." ? 1 : 4) {
    moves.push(parseMove(text.charAt(at) == "." ? "." : text.substr(at, 4)));
  }
  return moves;
}

/** Reads a move such as `BDCA` or `.`. */
export function parseMove(text: string): Move {
  if (text == ".") return ADVANCE;
  return new Move(
    text.charAt(0), text.charCodeAt(1) - 65, text.charCodeAt(2) - 65, text.charCodeAt(3) - 65,
  );
}

/** Writes a move as the judge reads it. */
export function formatMove(move: Move): string {
  if (move.patch == ".") return ".";
  return move.patch + String.fromCharCode(65 + move.column) + String.fromCharCode(65 + move.row) +
    String.fromCharCode(65 + move.orientation);
}

/** The patches on offer. */
export function offer(state: State): Patch[] {
  const patches: Patch[] = [];
  for (let i = 0; i < min(3, state.circle.length); i++) patches.push(patch(state.circle.charAt(i)));
  return patches;
}

/** True if both tokens are on the last square and no special patch is pending. */
export function isOver(state: State): bool {
  return state.sides[0].time == LAST && state.sides[1].time == LAST && !state.pending;
}

/**
 * The legal moves, one for each shape and place: by patch, orientation, row and column; `ADVANCE`
 * comes last.
 */
export function legalMoves(state: State): Move[] {
  const moves: Move[] = [];
  if (isOver(state)) return moves;
  const offered = state.pending ? [patch(SPECIAL_PATCH)] : offer(state);
  const own = state.sides[state.turn - 1];
  for (let i = 0; i < offered.length; i++) {
    if (offered[i].cost > own.buttons && !state.pending) continue;
    const shapes = offered[i].distinct;
    for (let j = 0; j < shapes.length; j++) addPlaces(moves, own.quilt, offered[i].letter, shapes[j]);
  }
  if (!state.pending) moves.push(ADVANCE);
  return moves;
}

function addPlaces(moves: Move[], quilt: i32[], letter: string, shape: Shape): void {
  for (let row = 0; row + shape.height <= SIDE; row++) {
    for (let column = 0; column + shape.width <= SIDE; column++) {
      if (!fits(quilt, shape, column, row)) continue;
      moves.push(new Move(letter, column, row, shape.orientation));
    }
  }
}

/** The state after a legal move. */
export function apply(state: State, move: Move): State {
  const next = state.copy();
  next.lastMove = move;
  const own = next.sides[next.turn - 1].copy();
  next.sides[next.turn - 1] = own;
  next.length += move.patch == "." ? 1 : 4;
  if (move.patch == ".") advance(next, own);
  else lay(next, own, move);
  passTurn(next);
  return next;
}

function advance(state: State, own: Side): void {
  const other = state.sides[otherSeat(state.turn) - 1];
  const steps = min(other.time + 1, LAST) - own.time;
  own.buttons += steps;
  go(state, own, steps);
}

function lay(state: State, own: Side, move: Move): void {
  const laid = patch(move.patch);
  own.quilt = covered(own.quilt, laid.shapes[move.orientation], move.column, move.row);
  own.buttons -= laid.cost;
  own.income += laid.income;
  if (state.sevenBySeven && state.firstBlock == 0 && hasBlock(own.quilt)) {
    state.firstBlock = state.turn;
  }
  if (laid.letter == SPECIAL_PATCH) {
    state.pending = false;
    return;
  }
  const at = state.circle.indexOf(laid.letter);
  state.circle = state.circle.substring(at + 1) + state.circle.substring(0, at);
  go(state, own, laid.time);
}

/** Moves the token, and gives the rewards of the squares on the way. */
function go(state: State, own: Side, steps: i32): void {
  const from = own.time;
  const furthest = max(from, state.sides[otherSeat(state.turn) - 1].time);
  own.time = min(from + steps, LAST);
  for (let i = 0; i < INCOME.length; i++) {
    if (from < INCOME[i] && INCOME[i] <= own.time) own.buttons += own.income;
  }
  let earned = false;
  for (let i = 0; i < SPECIAL.length; i++) {
    earned = earned || (furthest < SPECIAL[i] && SPECIAL[i] <= own.time);
  }
  // On a full quilt the special patch is lost.
  state.pending = earned && emptySquares(own.quilt) > 0;
  if (own.time == LAST && state.firstAtEnd == 0) state.firstAtEnd = state.turn;
}

/** The player further back moves; on equal squares the one who came there last. */
function passTurn(state: State): void {
  const other = otherSeat(state.turn);
  const isBehind = state.sides[other - 1].time < state.sides[state.turn - 1].time;
  if (!state.pending && isBehind) state.turn = other;
}

/** The scores of seat 1 and seat 2, as if the game ended now. */
export function score(state: State): i32[] {
  const scores: i32[] = [];
  for (let i = 0; i < 2; i++) {
    const bonus = state.firstBlock == i + 1 ? 7 : 0;
    scores.push(state.sides[i].buttons - 2 * emptySquares(state.sides[i].quilt) + bonus);
  }
  return scores;
}

/** The seat that has won, or `OPEN`; with equal scores the first at the end. */
export function result(state: State): i32 {
  if (!isOver(state)) return OPEN;
  const scores = score(state);
  if (scores[0] == scores[1]) return state.firstAtEnd;
  return scores[0] > scores[1] ? 1 : 2;
}

/** The game, for `run`. */
export const game = new Game<State, Move>(
  "patchwork", start, hear, ask, legalMoves, apply, score, result, formatMove, parseMove,
);
