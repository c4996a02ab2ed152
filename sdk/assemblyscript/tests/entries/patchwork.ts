import { Player, Tools, described, ended, perft, texts } from "./witness";
import { Move, State, game, PATCHES, hasBlock, isCovered, isOver, offer, parseState, patch } from "../../assembly/patchwork";

// The next answer, and the bot's view of its question.
let given = "";
let seen = "";

function choose(state: State, tools: Tools): Move {
  if (given == "random") return tools.random.choice(game.legalMoves(state));
  seen = described(game, state);
  return game.parseMove(given);
}

let players: Player<State, Move>[] = [];

/** Begins a round of two players with these streams of random numbers. */
export function begin(seed: i32): void {
  players = [];
  for (let seat = 1; seat <= 2; seat++) {
    players.push(new Player<State, Move>(game, choose, new Tools(seed, 3 + seat)));
  }
}

/** Sends a line to a player and returns its answer. */
export function tell(seat: i32, line: string, answer: string): string {
  given = answer;
  return players[seat - 1].line(line);
}

/** The bot's view of the last question. */
export function question(): string {
  return seen;
}

/** The result and the scores, as a player sees them. */
export function end(seat: i32): string {
  return ended(game, players[seat - 1].state!);
}

/** The legal moves in a position. */
export function moves(text: string): string[] {
  return texts(game, game.legalMoves(parseState(text)));
}

/** The result and the scores in a position. */
export function standing(text: string): string {
  return ended(game, parseState(text));
}

/** The number of sequences of moves. */
export function count(text: string, depth: i32): i32 {
  return perft(game, parseState(text), depth);
}

/** A position's fields in the vectors, as JSON. */
export function told(text: string): string {
  const state = parseState(text);
  const over = isOver(state);
  const scores = game.score(state);
  const offered = offer(state);
  const letters: string[] = [];
  for (let i = 0; i < offered.length; i++) letters.push('"' + offered[i].letter + '"');
  const one = state.sides[0];
  const two = state.sides[1];
  const pair = (name: string, first: i32, second: i32): string =>
    '"' + name + '":[' + first.toString() + "," + second.toString() + "]";
  const orNull = (value: i32): string => (value == 0 ? "null" : value.toString());
  return "{" + '"over":' + (over ? "true" : "false") +
    ',"to_move":' + orNull(over ? 0 : state.turn) +
    "," + pair("time", one.time, two.time) +
    "," + pair("buttons", one.buttons, two.buttons) +
    "," + pair("income", one.income, two.income) +
    "," + pair("scores", scores[0], scores[1]) +
    ',"offered":[' + letters.join(",") + "]" +
    ',"special_pending":' + (state.pending ? "true" : "false") +
    ',"first_at_end":' + orNull(state.firstAtEnd) +
    ',"winner":' + orNull(game.result(state)) +
    ',"boards":["' + board(one.quilt) + '","' + board(two.quilt) + '"]}';
}

function board(quilt: i32[]): string {
  const rows: string[] = [];
  for (let row = 0; row < 9; row++) {
    let line = "";
    for (let column = 0; column < 9; column++) line += isCovered(quilt, column, row) ? "#" : ".";
    rows.push(line);
  }
  return rows.join("/");
}

/** The rows of a patch in an orientation, as numbers. */
export function shape(letter: string, orientation: i32): i32[] {
  return patch(letter).shapes[orientation].rows;
}

/** The number of patches, the special one included. */
export function patches(): i32 {
  return PATCHES.length;
}

/** True if there is a block of seven by seven. */
export function block(quilt: i32[]): bool {
  return hasBlock(quilt);
}
