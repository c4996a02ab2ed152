// Connects a bot to the judge. The bot's own file exports the two functions:
// `export { judge_buffer, judge_line } from "./judge-bot/run";`

import "./failure";
import { Game, Listener, Player, Tools } from "./player";

const buffer = new StaticArray<u8>(4096);
let player: Listener | null = null;

/** Lets a function play a game. `seed` is that of its random numbers. */
export function run<State, Move>(
  game: Game<State, Move>,
  chooseMove: (state: State, tools: Tools) => Move,
  seed: u64 = 1,
): void {
  player = new Player<State, Move>(game, chooseMove, new Tools(seed));
}

/** The buffer in which the judge writes a line and reads the answer. */
export function judge_buffer(): usize {
  return changetype<usize>(buffer);
}

/** Takes a line of this length; returns the answer's length. */
export function judge_line(length: i32): i32 {
  const answer = player!.line(String.UTF8.decodeUnsafe(changetype<usize>(buffer), length));
  return i32(String.UTF8.encodeUnsafe(changetype<usize>(answer), answer.length, changetype<usize>(buffer)));
}
