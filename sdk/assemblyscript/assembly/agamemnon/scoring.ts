// Strings of fate, and the seats that win them.
import { State } from "./state";
import { STRENGTH, WEFT, indexOf } from "./tiles";

/** A string of fate. */
export class FateString {
  constructor(
    /** `S`, `L` or `F`. */
    public type: string,
    public edges: i32[],
    public nodes: i32[],
    /** The seat that wins it, 0 for a tie. */
    public winner: i32,
  ) {}
}

/** The strings that have a tile. */
export function strings(state: State): FateString[] {
  const seen = new StaticArray<bool>(state.types.length);
  const found: FateString[] = [];
  for (let edge = 0; edge < state.types.length; edge++) {
    if (seen[edge] || state.types[edge] == "E") continue;
    const followed = follow(state, edge, seen);
    for (let i = 0; i < followed.nodes.length; i++) {
      if (state.owners[followed.nodes[i]] == 0) continue;
      found.push(followed);
      break;
    }
  }
  return found;
}

/** The string that an edge belongs to. */
function follow(state: State, first: i32, seen: StaticArray<bool>): FateString {
  const type = state.types[first];
  const edges: i32[] = [first];
  const nodes: i32[] = [];
  seen[first] = true;
  for (let at = 0; at < edges.length; at++) {
    const ends = state.board.ends[edges[at]];
    for (let i = 0; i < 2; i++) {
      const node = ends[i];
      if (nodes.includes(node)) continue;
      nodes.push(node);
      if (!connects(state, node)) continue;
      const incident = state.board.incident[node];
      for (let j = 0; j < incident.length; j++) {
        const edge = incident[j];
        if (seen[edge] || state.types[edge] != type) continue;
        seen[edge] = true;
        edges.push(edge);
      }
    }
  }
  return new FateString(type, edges, nodes, winner(state, type, nodes));
}

/** True if a node joins the edges that meet there: every tile does, except a Weft. */
function connects(state: State, node: i32): bool {
  return state.owners[node] > 0 && state.kinds[node] != WEFT;
}

function winner(state: State, type: string, nodes: i32[]): i32 {
  if (type == "L") return highestLeader(state, nodes);
  const sums: i32[] = [0, 0, 0];
  for (let i = 0; i < nodes.length; i++) {
    const owner = state.owners[nodes[i]];
    if (owner > 0) sums[owner] += type == "F" ? 1 : STRENGTH[indexOf(state.kinds[nodes[i]])];
  }
  return larger(sums[1], sums[2]);
}

function highestLeader(state: State, nodes: i32[]): i32 {
  for (let leader = 0; leader < 5; leader++) {
    const has: i32[] = [0, 0, 0];
    for (let i = 0; i < nodes.length; i++) {
      const owner = state.owners[nodes[i]];
      if (owner > 0 && indexOf(state.kinds[nodes[i]]) == leader) has[owner] = 1;
    }
    const first = larger(has[1], has[2]);
    if (first > 0) return first;
  }
  return 0;
}

/** The seat with the larger number. */
function larger(one: i32, two: i32): i32 {
  if (one == two) return 0;
  return one > two ? 1 : 2;
}

/** The edges that seat 1 and seat 2 win, as if the game ended now. */
export function score(state: State): i32[] {
  const sums: i32[] = [0, 0, 0];
  const all = strings(state);
  for (let i = 0; i < all.length; i++) sums[all[i].winner] += all[i].edges.length;
  return [sums[1], sums[2]];
}
