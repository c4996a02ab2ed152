// The tests' view of a game: its moves and scores at each question, with given answers.
import { Game, Player, Tools } from "../../assembly/player";
import { Random } from "../../assembly/random";

/** FNV-1a of the sorted answers, as the recorded rounds have it. */
function fingerprint(texts: string[]): string {
  const bytes = Uint8Array.wrap(String.UTF8.encode(texts.sort().join("\n")));
  let hashed: u32 = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hashed = (hashed ^ bytes[i]) * 0x01000193;
  return hashed.toString(16).padStart(8, "0");
}

export function texts<State, Move>(game: Game<State, Move>, moves: Move[]): string[] {
  const found: string[] = [];
  for (let i = 0; i < moves.length; i++) found.push(game.formatMove(moves[i]));
  return found;
}

/** The state of a round as text: `122 0c27a1da 0 0`, the last two being the scores. */
export function described<State, Move>(game: Game<State, Move>, state: State): string {
  const moves = texts(game, game.legalMoves(state));
  const count = moves.length.toString();
  return count + " " + fingerprint(moves) + " " + game.score(state).join(" ");
}

/** The result and the scores. */
export function ended<State, Move>(game: Game<State, Move>, state: State): string {
  return game.result(state).toString() + " " + game.score(state).join(" ");
}

/** The number of sequences of moves, each applied. */
export function perft<State, Move>(game: Game<State, Move>, state: State, depth: i32): i32 {
  const moves = game.legalMoves(state);
  if (depth == 1) return moves.length;
  let count = 0;
  for (let i = 0; i < moves.length; i++) count += perft(game, game.apply(state, moves[i]), depth - 1);
  return count;
}

export { Player, Random, Tools };
