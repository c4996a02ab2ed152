import { Player, Tools, described, ended, perft, texts } from "./witness";
import { Move, State, game, YES, ask, bag, formatState, legalMoves, parseState, strings, turn } from "../../assembly/agamemnon";

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

/** The legal moves, without a bound. */
export function all(text: string): string[] {
  return texts(game, legalMoves(parseState(text), 1000000));
}

/** The strings of fate: type, winner, and the ends of the edges. */
export function fates(text: string): string[] {
  const state = parseState(text);
  const found: string[] = [];
  const each = strings(state);
  for (let i = 0; i < each.length; i++) {
    const edges: string[] = [];
    for (let j = 0; j < each[i].edges.length; j++) {
      const ends = state.board.ends[each[i].edges[j]];
      edges.push(ends[0].toString().padStart(2, "0") + ends[1].toString().padStart(2, "0"));
    }
    found.push(each[i].type + " " + " OB".charAt(each[i].winner) + " " + edges.sort().join(","));
  }
  return found;
}

/** The tiles that a seat has left, `a` to `j`. */
export function left(text: string, seat: i32): i32[] {
  return bag(parseState(text), seat);
}

/** The seat on turn. */
export function mover(text: string): i32 {
  return turn(parseState(text));
}

/** The legal answers about a weaver, and the position after it was put back. */
export function redraw(text: string): string[] {
  const asked = ask(parseState(text), ["redraw?", "i"]);
  const answers = texts(game, legalMoves(asked));
  answers.push(game.apply(asked, YES).tiles);
  return answers;
}
