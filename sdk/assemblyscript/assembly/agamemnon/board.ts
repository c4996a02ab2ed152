// The net of Agamemnon: which nodes are joined by which edges. Warps change the edges' types only.
import { number } from "../greeting";

/** The edges of the standard board. */
export const STANDARD_EDGES =
  "S0001S0004F0105L0204F0206L0203L0306S0307L0408S0409S0510F0508F0611S0712F0813S0809S0911" +
  "S1015F1114L1112S1216F1217S1315F1314L1418L1419F1520L1619S1617F1722L1820L1823S1924F1921" +
  "F2025L2126F2122L2226F2325F2324F2427S2428L2529L2628L2729L2728S2831S2930S3031";

/** A board. */
export class Board {
  /** Number of nodes. */
  nodes: i32 = 0;
  /** The two nodes that each edge joins. */
  ends: i32[][] = [];
  /** For each node: the numbers of its edges. */
  incident: i32[][] = [];
  /** For each node: the nodes at the other ends, in order. */
  neighbours: i32[][] = [];

  /** Reads the edge string, but for the types. */
  constructor(text: string) {
    for (let at = 0; at < text.length; at += 5) {
      const one = number(text.substr(at + 1, 2));
      const other = number(text.substr(at + 3, 2));
      this.ends.push([one, other]);
      this.nodes = max(this.nodes, max(one, other) + 1);
    }
    for (let node = 0; node < this.nodes; node++) this.addNode(node);
  }

  private addNode(node: i32): void {
    const edges: i32[] = [];
    const others: i32[] = [];
    for (let edge = 0; edge < this.ends.length; edge++) {
      const pair = this.ends[edge];
      if (pair[0] != node && pair[1] != node) continue;
      edges.push(edge);
      others.push(pair[0] == node ? pair[1] : pair[0]);
    }
    this.incident.push(edges);
    this.neighbours.push(others.sort());
  }
}

/** The types of the edges in an edge string. */
export function parseTypes(text: string): string[] {
  const types: string[] = [];
  for (let at = 0; at < text.length; at += 5) types.push(text.charAt(at));
  return types;
}

/** The index of the edge between two nodes, or -1. */
export function edgeBetween(board: Board, one: i32, other: i32): i32 {
  const edges = board.incident[one];
  for (let i = 0; i < edges.length; i++) {
    if (board.ends[edges[i]].includes(other)) return edges[i];
  }
  return -1;
}

/** Writes a node as two digits. */
export function formatNode(node: i32): string {
  return node.toString().padStart(2, "0");
}

/** Writes the edge string. */
export function formatEdges(board: Board, types: string[]): string {
  let text = "";
  for (let edge = 0; edge < types.length; edge++) {
    text += types[edge] + formatNode(board.ends[edge][0]) + formatNode(board.ends[edge][1]);
  }
  return text;
}
