import { Player, Tools, described, ended, perft, texts } from "./witness";
import { Move, State, game, captured, columnOf, formatState, legalMoves, parseState, rowOf } from "../../assembly/cc";

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

/** The position after a move. */
export function after(text: string, move: string): string {
  return formatState(game.apply(parseState(text), game.parseMove(move)));
}

/** The legal moves, each with the man that it takes. */
export function takes(text: string): string[] {
  const state = parseState(text);
  const all = legalMoves(state);
  const found: string[] = [];
  for (let i = 0; i < all.length; i++) {
    const taken = captured(state, all[i]);
    const man = " x" + rowOf(taken).toString() + "," + columnOf(taken).toString();
    found.push(game.formatMove(all[i]) + (taken > 0 ? man : ""));
  }
  return found;
}

/** The number of moves listed if no more are asked for. */
export function bounded(text: string, most: i32): i32 {
  return legalMoves(parseState(text), most).length;
}
