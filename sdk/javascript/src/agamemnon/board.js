/** The net of Agamemnon: which nodes are joined by which edges. Warps change the edges' types only. */

/** The edges of the standard board. */
export const STANDARD_EDGES =
  'S0001S0004F0105L0204F0206L0203L0306S0307L0408S0409S0510F0508F0611S0712F0813S0809S0911' +
  'S1015F1114L1112S1216F1217S1315F1314L1418L1419F1520L1619S1617F1722L1820L1823S1924F1921' +
  'F2025L2126F2122L2226F2325F2324F2427S2428L2529L2628L2729L2728S2831S2930S3031';

/**
 * A board.
 * @typedef {object} Board
 * @property {number} nodes number of nodes
 * @property {[number, number][]} ends of each edge: the nodes that it joins
 * @property {number[][]} incident for each node: the numbers of its edges
 * @property {number[][]} neighbours for each node: the nodes at the other ends, in order
 */

/** Reads the edge string: the board, and the types of its edges. @param {string} text @returns {{ board: Board, types: string[] }} */
export function parseEdges(text) {
  /** @type {[number, number][]} */
  const ends = [];
  const types = [];
  for (let at = 0; at < text.length; at += 5) {
    types.push(text[at]);
    ends.push([Number(text.slice(at + 1, at + 3)), Number(text.slice(at + 3, at + 5))]);
  }
  return { board: makeBoard(ends), types };
}

/** @param {[number, number][]} ends @returns {Board} */
function makeBoard(ends) {
  const nodes = Math.max(-1, ...ends.flat()) + 1;
  const incident = Array.from({ length: nodes }, (_, node) => {
    return ends.flatMap((pair, edge) => (pair.includes(node) ? [edge] : []));
  });
  const neighbours = incident.map((edges, node) => {
    return edges.map((edge) => otherEnd(ends[edge], node)).sort((one, other) => one - other);
  });
  return { nodes, ends, incident, neighbours };
}

/** @param {[number, number]} pair @param {number} node */
function otherEnd([one, other], node) {
  return one === node ? other : one;
}

/** The index of the edge between two nodes, or -1. @param {Board} board @param {number} one @param {number} other */
export function edgeBetween({ ends, incident }, one, other) {
  const found = incident[one].find((edge) => ends[edge].includes(other));
  return found === undefined ? -1 : found;
}

/** Writes a node as two digits. @param {number} node */
export function formatNode(node) {
  return String(node).padStart(2, '0');
}

/** Writes the edge string. @param {Board} board @param {string[]} types */
export function formatEdges({ ends }, types) {
  return ends.map(([one, other], edge) => types[edge] + formatNode(one) + formatNode(other)).join('');
}
