import { Greeting } from "./greeting";
import { Random } from "./random";

@external("judge", "log")
declare function judgeLog(address: usize, length: i32): void;

/** Tools that a bot is given with each question, besides the state. */
export class Tools {
  /** Random numbers, the same in every repetition of a round. */
  random: Random;

  constructor(seed: u64, stream: u64 = 0) {
    this.random = new Random(seed, stream);
  }

  /** Writes a line to the bot's log, shown with the round. */
  log(text: string): void {
    const bytes = String.UTF8.encode(text + "\n");
    judgeLog(changetype<usize>(bytes), bytes.byteLength);
  }
}

/** The interface of all games' modules; each has a constant `game` of this type. */
export class Game<State, Move> {
  constructor(
    /** The game's name in the protocol. */
    public name: string,
    /** The state of a new round. */
    public start: (greeting: Greeting) => State,
    /** The state after a notice. */
    public hear: (state: State, words: string[]) => State,
    /** The state with a question. */
    public ask: (state: State, words: string[]) => State,
    /** The moves, in the referee's order. */
    public legalMoves: (state: State) => Move[],
    /** The state after a move; the one given stays as it was. */
    public apply: (state: State, move: Move) => State,
    /** The scores of seat 1 and seat 2. */
    public score: (state: State) => i32[],
    /** The seat that has won, `DRAW` or `OPEN`. */
    public result: (state: State) => i32,
    /** Writes a move as the judge reads it. */
    public formatMove: (move: Move) => string,
    /** Reads a move. */
    public parseMove: (text: string) => Move,
  ) {}
}

/** The receiver of the judge's lines. */
export abstract class Listener {
  /** Takes a line; returns the answer to a question, and nothing for a notice. */
  abstract line(text: string): string;
}

/** The player of a round: it keeps the state, asks a function for moves, and answers the lines. */
export class Player<State, Move> extends Listener {
  /** The state of the round, once it has begun. */
  state: State | null = null;

  constructor(
    public game: Game<State, Move>,
    public chooseMove: (state: State, tools: Tools) => Move,
    public tools: Tools,
  ) {
    super();
  }

  line(text: string): string {
    const words = text.split(" ");
    if (words[0] == "game") {
      this.state = this.game.start(new Greeting(words));
      return "";
    }
    const state = this.state!;
    if (!words[0].endsWith("?")) {
      this.state = this.game.hear(state, words);
      return "";
    }
    const asked = this.game.ask(state, words);
    const move = this.chooseMove(asked, this.tools);
    this.state = this.game.apply(asked, move);
    return this.game.formatMove(move);
  }
}
