// Arcade Mahjong. The rules: `judge/games/src/mahjong/README.md`.
import { Greeting, number } from "../greeting";
import { Game } from "../player";
import { DRAW, OPEN, otherSeat } from "../result";
import { DEFAULT_RULES, Rules, faanWith, roundScore } from "./scoring";
import { KINDS, formatTile, parseTile, withTile, withoutTile } from "./tiles";

export { distance, usefulTiles } from "./distance";
export { DEFAULT_RULES, Rules, Win, faan, faanWith, roundScore, waits, winOf } from "./scoring";
export {
  COPIES, KINDS, RANKS, formatHand, formatTile, parseHand, parseTile, rankOf, suitOf, tilesOf,
  withTile, withoutTile,
} from "./tiles";

/** A move: the tile to discard, or `YES` or `NO` to winning. */
export type Move = i32;

/** The move that wins. */
export const YES: Move = KINDS;

/** The move that does not win, and plays on. */
export const NO: Move = KINDS + 1;

/** Tiles in the wall after the deal. */
const WALL = 82;

/** Tiles dealt to each side. */
const DEALT = 13;

/** Everything that the bot sees of a round. */
export class State {
  /** The bot's seat. */
  seat: i32 = 1;
  /** The rules of scoring. */
  rules: Rules = DEFAULT_RULES;
  /** The number of each tile in the bot's hand: 13 in all, 14 when it must discard one. */
  hand: Uint8Array = new Uint8Array(KINDS);
  /** The question to the bot: 'discard', 'win-self', 'win-discard', or '' when it is not its turn. */
  question: string = "";
  /** The tile that completes the hand, when the bot is asked to win; -1 otherwise. */
  offered: i32 = -1;
  /** The tile drawn last, -1 before the first. */
  drawn: i32 = -1;
  /** Tiles that the bot has drawn, the dealt ones included. */
  draws: i32 = 0;
  /** The bot's discards, in order. */
  river: i32[] = [];
  /** The other side's discards, in order. */
  otherRiver: i32[] = [];
  /** Faan of the hand with which the bot has won, 0 before. */
  won: i32 = 0;
  /** The end of the round for the bot: 'win', 'loss' or 'draw'; '' until then. */
  ended: string = "";

  /** The same state once more, with the same hand and rivers. */
  copy(): State {
    const state = new State();
    state.seat = this.seat;
    state.rules = this.rules;
    state.hand = this.hand;
    state.question = this.question;
    state.offered = this.offered;
    state.drawn = this.drawn;
    state.draws = this.draws;
    state.river = this.river;
    state.otherRiver = this.otherRiver;
    state.won = this.won;
    state.ended = this.ended;
    return state;
  }
}

/** The state before the first tile. */
export function start(greeting: Greeting): State {
  const state = new State();
  const rules = new Rules();
  rules.voidSuit = greeting.option("void_suit") == "true";
  rules.allTriplets = number(greeting.option("all_triplets"));
  rules.fullFlush = number(greeting.option("full_flush"));
  rules.sevenPairs = number(greeting.option("seven_pairs"));
  rules.root = number(greeting.option("root"));
  state.seat = greeting.seat;
  state.rules = rules;
  return state;
}

/** The state after a notice. */
export function hear(state: State, words: string[]): State {
  const next = state.copy();
  if (words[0] == "end") {
    next.ended = words[1];
  } else if (words[0] == "opponent") {
    next.otherRiver = state.otherRiver.slice();
    next.otherRiver.push(parseTile(words[1]));
  } else if (words[0] == "draw") {
    next.drawn = parseTile(words[1]);
    next.hand = withTile(state.hand, next.drawn);
    next.draws++;
  }
  return next;
}

/** The state with a question. */
export function ask(state: State, words: string[]): State {
  const next = state.copy();
  if (words[0] == "discard?") {
    next.question = "discard";
  } else {
    next.question = "win-" + words[2];
    next.offered = parseTile(words[1]);
  }
  return next;
}

/** Reads an answer: a tile, `yes` or `no`. */
export function parseMove(text: string): Move {
  if (text == "yes") return YES;
  return text == "no" ? NO : parseTile(text);
}

/** Writes a move as the judge reads it. */
export function formatMove(move: Move): string {
  if (move == YES) return "yes";
  return move == NO ? "no" : formatTile(move);
}

/** The legal moves: each tile in hand once, or `NO` and `YES`. */
export function legalMoves(state: State): Move[] {
  const moves: Move[] = [];
  if (state.question == "discard") {
    for (let tile = 0; tile < KINDS; tile++) {
      if (state.hand[tile] > 0) moves.push(tile);
    }
  } else if (state.question != "") {
    moves.push(NO);
    moves.push(YES);
  }
  return moves;
}

/** The state after a legal move, as far as the bot knows it: the next draw comes as a notice. */
export function apply(state: State, move: Move): State {
  const next = state.copy();
  if (move == YES) {
    next.won = faanWith(state.hand, state.offered, state.rules);
    return next;
  }
  next.question = "";
  next.offered = -1;
  if (move == NO) return next;
  next.hand = withoutTile(state.hand, move);
  next.river = state.river.slice();
  next.river.push(move);
  return next;
}

/** Tiles left in the wall; correct even before a draw or discard is announced. */
export function wallLeft(state: State): i32 {
  const own = max(state.draws - DEALT, 0) + (state.question == "win-self" ? 1 : 0);
  // The other side drew every tile that it has discarded.
  return WALL - own - state.otherRiver.length - (state.question == "win-discard" ? 1 : 0);
}

/** The scores of seat 1 and seat 2: both are 0 until the bot has won. */
export function score(state: State): i32[] {
  const own = roundScore(state.won, wallLeft(state));
  return state.seat == 1 ? [own, 0] : [0, own];
}

/** The seat that has won, `DRAW`, or `OPEN`. */
export function result(state: State): i32 {
  if (state.won > 0 || state.ended == "win") return state.seat;
  if (state.ended == "loss") return otherSeat(state.seat);
  return state.ended == "draw" ? DRAW : OPEN;
}

/** The game, for `run`. */
export const game = new Game<State, Move>(
  "mahjong", start, hear, ask, legalMoves, apply, score, result, formatMove, parseMove,
);
