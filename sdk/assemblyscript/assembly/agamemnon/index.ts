// Agamemnon. The rules: `judge/games/src/agamemnon/README.md`.
import { Greeting, number } from "../greeting";
import { Game } from "../player";
import { DRAW, OPEN } from "../result";
import { Board, edgeBetween, formatEdges, parseTypes } from "./board";
import { score } from "./scoring";
import { Move, State } from "./state";
import {
  ALL_TILES, Placement, SUPPLY, WARP, formatPlacement, formatTile, indexOf, parsePlacements,
} from "./tiles";

export { Board, STANDARD_EDGES, edgeBetween } from "./board";
export { FateString, score, strings } from "./scoring";
export { Move, State } from "./state";
export { Placement, STRENGTH, SUPPLY, WARP, WEFT, indexOf } from "./tiles";

/** Most moves that `legalMoves` lists by default: two Warps can have more. */
export const MOST_LISTED = 65536;

/** Puts the weaver back. */
export const YES = new Move("yes", []);

/** Keeps the weaver. */
export const NO = new Move("no", []);

/** The state before the board is known. */
export function start(greeting: Greeting): State {
  const state = new State();
  state.seat = greeting.seat;
  return state;
}

/** The state after a notice. */
export function hear(state: State, words: string[]): State {
  if (words[0] == "edges") {
    const next = withBoard("-", words[1]);
    next.seat = state.seat;
    return next;
  }
  return words[0] == "opponent" ? apply(state, parseMove(words[1])) : state;
}

/** The state with a question. */
export function ask(state: State, words: string[]): State {
  if (words[0] == "redraw?") {
    const asked = state.copy();
    asked.question = "redraw";
    asked.drawn = words[1];
    return asked;
  }
  const next = withBoard(words[2], words[3]);
  next.seat = state.seat;
  next.lastMove = state.lastMove;
  next.question = "move";
  next.drawn = words[1];
  return next;
}

function withBoard(tiles: string, edges: string): State {
  const state = new State();
  state.board = new Board(edges);
  state.types = parseTypes(edges);
  state.kinds = new Array<string>(state.board.nodes).fill("");
  state.owners = new Array<i32>(state.board.nodes).fill(0);
  state.tiles = tiles == "-" ? "" : tiles;
  for (let at = 0; at < state.tiles.length; at += 4) {
    const node = number(state.tiles.substr(at + 2, 2));
    state.kinds[node] = state.tiles.charAt(at + 1);
    state.owners[node] = state.tiles.charAt(at) == "O" ? 1 : 2;
  }
  return state;
}

/** Reads `<drawn> <tiles> <edges>`, with `-` for nothing; the bot has the seat on turn. */
export function parseState(text: string): State {
  const words = text.split(" ");
  const state = withBoard(words[1], words[2]);
  state.seat = turn(state);
  state.question = "move";
  state.drawn = words[0] == "-" ? "" : words[0];
  return state;
}

/** Writes a position as the question does. */
export function formatState(state: State): string {
  const drawn = state.drawn == "" ? "-" : state.drawn;
  const tiles = state.tiles == "" ? "-" : state.tiles;
  return drawn + " " + tiles + " " + formatEdges(state.board, state.types);
}

/** Reads a move such as `Oj151020Of04`, `yes` or `no`. */
export function parseMove(text: string): Move {
  if (text == "yes") return YES;
  return text == "no" ? NO : new Move("", parsePlacements(text));
}

/** Writes a move as the judge reads it. */
export function formatMove(move: Move): string {
  let text = move.answer;
  for (let i = 0; i < move.placements.length; i++) text += formatPlacement(move.placements[i]);
  return text;
}

/** The number of tiles that have been placed. */
export function placed(state: State): i32 {
  return state.tiles.length / 4;
}

/** The seat that places the next tile: O one, then B and O two each in turn. */
export function turn(state: State): i32 {
  return ((placed(state) + 1) / 2) % 2 == 0 ? 1 : 2;
}

/** The number of tiles that the seat on turn draws: two, but one at the very start and at the end. */
export function tilesInTurn(state: State): i32 {
  const before = placed(state);
  return before == 0 || before == ALL_TILES - 1 ? 1 : 2;
}

/** The number of tiles of each kind, `a` to `j`, that a seat has not placed yet. */
export function bag(state: State, seat: i32): i32[] {
  const counts: i32[] = [];
  for (let i = 0; i < SUPPLY.length; i++) counts.push(SUPPLY[i]);
  for (let node = 0; node < state.kinds.length; node++) {
    if (state.owners[node] == seat) counts[indexOf(state.kinds[node])]--;
  }
  return counts;
}

/** Every way to place one tile of a kind, by the seat on turn; the first half of a move. */
export function placements(state: State, kind: string): Placement[] {
  const seat = turn(state);
  const found: Placement[] = [];
  for (let node = 0; node < state.owners.length; node++) {
    if (state.owners[node] > 0) continue;
    if (kind != WARP) {
      found.push(new Placement(seat, kind, node));
      continue;
    }
    const ends = state.board.neighbours[node];
    for (let i = 0; i < ends.length; i++) {
      for (let j = 0; j < ends.length; j++) found.push(new Placement(seat, WARP, node, ends[i], ends[j]));
    }
  }
  return found;
}

/**
 * The legal moves, at most `most`: in the order of the draw, then the other way round, by node and a
 * Warp's edges.
 */
export function legalMoves(state: State, most: i32 = MOST_LISTED): Move[] {
  if (state.question == "redraw") return [NO, YES];
  const moves: Move[] = [];
  if (state.drawn == "") return moves;
  const first = state.drawn.charAt(0);
  const second = state.drawn.charAt(1);
  addOrder(moves, state, first, second, most);
  if (second != "" && second != first) addOrder(moves, state, second, first, most);
  return moves;
}

function addOrder(moves: Move[], state: State, first: string, second: string, most: i32): void {
  const ones = placements(state, first);
  const others = second == "" ? new Array<Placement>(0) : placements(state, second);
  for (let i = 0; i < ones.length; i++) {
    if (second == "") moves.push(new Move("", [ones[i]]));
    for (let j = 0; j < others.length; j++) {
      if (moves.length >= most) return;
      if (others[j].node != ones[i].node) moves.push(new Move("", [ones[i], others[j]]));
    }
  }
}

/** The state after one placement, to plan a turn tile by tile. */
export function place(state: State, placement: Placement): State {
  const next = state.copy();
  next.kinds = state.kinds.slice();
  next.owners = state.owners.slice();
  next.kinds[placement.node] = placement.kind;
  next.owners[placement.node] = placement.seat;
  next.tiles = state.tiles + formatTile(placement);
  if (placement.kind == WARP) next.types = warped(state, placement);
  return next;
}

/** The types of the edges after a Warp. */
function warped(state: State, warp: Placement): string[] {
  const next = state.types.slice();
  const one = edgeBetween(state.board, warp.node, warp.x);
  const other = edgeBetween(state.board, warp.node, warp.y);
  next[one] = state.types[other];
  next[other] = state.types[one];
  return next;
}

/** The state after a legal move. */
export function apply(state: State, move: Move): State {
  let next = state.copy();
  next.question = "";
  next.drawn = "";
  if (move.answer != "") return next;
  for (let i = 0; i < move.placements.length; i++) next = place(next, move.placements[i]);
  next.lastMove = move;
  return next;
}

/** The seat that has won, `DRAW`, or `OPEN` while tiles are left. */
export function result(state: State): i32 {
  if (placed(state) < ALL_TILES) return OPEN;
  const scores = score(state);
  if (scores[0] == scores[1]) return DRAW;
  return scores[0] > scores[1] ? 1 : 2;
}

/** The game, for `run`. */
export const game = new Game<State, Move>(
  "agamemnon", start, hear, ask, (state: State): Move[] => legalMoves(state), apply, score, result,
  formatMove, parseMove,
);
