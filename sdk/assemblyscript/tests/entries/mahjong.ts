import { Player, Tools, described, ended } from "./witness";
import { Move, State, game, Rules, distance as distanceOf, faan as faanOf, faanWith, formatHand, formatTile, parseHand, roundScore, usefulTiles, waits as waitsOf, winOf } from "../../assembly/mahjong";

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

function rulesOf(voidSuit: bool): Rules {
  const rules = new Rules();
  rules.voidSuit = voidSuit;
  return rules;
}

/** Faan of a hand. */
export function faan(hand: string, voidSuit: bool): i32 {
  return faanOf(parseHand(hand), rulesOf(voidSuit));
}

/** Faan of a hand with other factors: all triplets, full flush, seven pairs, root. */
export function worth(hand: string, factors: i32[]): i32 {
  const rules = new Rules();
  rules.allTriplets = factors[0];
  rules.fullFlush = factors[1];
  rules.sevenPairs = factors[2];
  rules.root = factors[3];
  return faanOf(parseHand(hand), rules);
}

/** The reasons for a win: the form, the patterns and the number of roots; empty without a win. */
export function reasons(hand: string): string[] {
  const win = winOf(parseHand(hand));
  const found: string[] = [];
  if (win === null) return found;
  found.push(win.sevenPairs ? "seven pairs" : "standard");
  found.push(win.roots.toString());
  if (win.fullFlush) found.push("Full Flush");
  if (win.allTriplets) found.push("All Triplets");
  if (win.sevenPairs) found.push("Seven Pairs");
  return found;
}

/** The tiles that complete a hand, each with its Faan. */
export function waits(hand: string, voidSuit: bool): string[] {
  const tiles = waitsOf(parseHand(hand), rulesOf(voidSuit));
  const found: string[] = [];
  for (let i = 0; i < tiles.length; i++) {
    const worth = faanWith(parseHand(hand), tiles[i], rulesOf(voidSuit));
    found.push(formatTile(tiles[i]) + " " + worth.toString());
  }
  return found;
}

/** The distance of a hand. */
export function distance(hand: string): i32 {
  return distanceOf(parseHand(hand));
}

/** The tiles that bring a hand nearer. */
export function useful(hand: string): string[] {
  return usefulTiles(parseHand(hand)).map<string>((tile: i32): string => formatTile(tile));
}

/** The score of a round. */
export function round(worth: i32, wallLeft: i32): i32 {
  return roundScore(worth, wallLeft);
}

/** A hand, read and written. */
export function again(hand: string): string {
  return formatHand(parseHand(hand));
}
