import { Board } from "./board";
import { Placement } from "./tiles";

/** A move: the placements of a turn, or `YES` or `NO` to putting a weaver back. */
export class Move {
  constructor(
    public answer: string,
    public placements: Placement[],
  ) {}
}

/** A position, and everything else that the bot knows of the round. */
export class State {
  /** The bot's seat: 1 is O, 2 is B. */
  seat: i32 = 1;
  /** The nodes and the edges between them. */
  board: Board = new Board("");
  /** The type of each edge: `S`, `L`, `F` or `E`. */
  types: string[] = [];
  /** The kind of the tile on each node, '' for none. */
  kinds: string[] = [];
  /** The seat of the tile on each node, 0 for none. */
  owners: i32[] = [];
  /** All tiles in the order in which they were placed, as text. */
  tiles: string = "";
  /** The question to the bot: 'move', 'redraw', or '' when it is not its turn. */
  question: string = "";
  /** The kinds to place at the question 'move'; the weaver at the question 'redraw'. */
  drawn: string = "";
  /** The move made last. */
  lastMove: Move | null = null;

  /** The same state once more, with the same lists. */
  copy(): State {
    const state = new State();
    state.seat = this.seat;
    state.board = this.board;
    state.types = this.types;
    state.kinds = this.kinds;
    state.owners = this.owners;
    state.tiles = this.tiles;
    state.question = this.question;
    state.drawn = this.drawn;
    state.lastMove = this.lastMove;
    return state;
  }
}
