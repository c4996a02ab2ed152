/** Strings of fate, and the seats that win them. */
import { STRENGTH } from './tiles.js';

/** @typedef {import('./index.js').State} State */

/**
 * A string of fate.
 * @typedef {object} FateString
 * @property {string} type `S`, `L` or `F`
 * @property {number[]} edges
 * @property {number[]} nodes
 * @property {number} winner the seat that wins it, 0 for a tie
 */

/** The strings that have a tile. @param {State} state */
export function strings(state) {
  const { board, types } = state;
  const seen = new Array(types.length).fill(false);
  /** @type {FateString[]} */
  const found = [];
  for (let edge = 0; edge < types.length; edge += 1) {
    if (seen[edge] || types[edge] === 'E') continue;
    const string = follow(state, edge, seen);
    if (string.nodes.some((node) => state.owners[node] > 0)) found.push(string);
  }
  return found;
}

/** The string that an edge belongs to. @param {State} state @param {number} first @param {boolean[]} seen @returns {FateString} */
function follow(state, first, seen) {
  const { board, types } = state;
  const edges = [first];
  /** @type {number[]} */
  const nodes = [];
  seen[first] = true;
  for (let index = 0; index < edges.length; index += 1) {
    for (const node of board.ends[edges[index]]) {
      if (nodes.includes(node)) continue;
      nodes.push(node);
      if (!connects(state, node)) continue;
      for (const edge of board.incident[node]) {
        if (seen[edge] || types[edge] !== types[first]) continue;
        seen[edge] = true;
        edges.push(edge);
      }
    }
  }
  return { type: types[first], edges, nodes, winner: winner(state, types[first], nodes) };
}

/** True if a node joins the edges that meet there: every tile does, except a Weft. @param {State} state @param {number} node */
function connects({ owners, kinds }, node) {
  return owners[node] > 0 && kinds[node] !== 'i';
}

/** @param {State} state @param {string} type @param {number[]} nodes */
function winner(state, type, nodes) {
  if (type === 'L') return highestLeader(state, nodes);
  const sums = [0, 0, 0];
  for (const node of nodes) {
    sums[state.owners[node]] += type === 'F' ? 1 : STRENGTH[state.kinds[node]] || 0;
  }
  return larger(sums[1], sums[2]);
}

/** @param {State} state @param {number[]} nodes */
function highestLeader({ owners, kinds }, nodes) {
  for (const leader of 'abcde') {
    const has = (/** @type {number} */ seat) => {
      return nodes.some((node) => owners[node] === seat && kinds[node] === leader) ? 1 : 0;
    };
    const first = larger(has(1), has(2));
    if (first > 0) return first;
  }
  return 0;
}

/** The seat with the larger number. @param {number} one @param {number} two */
function larger(one, two) {
  if (one === two) return 0;
  return one > two ? 1 : 2;
}

/** The edges that seat 1 and seat 2 win, as if the game ended now. @param {State} state */
export function score(state) {
  const sums = [0, 0, 0];
  for (const string of strings(state)) sums[string.winner] += string.edges.length;
  return [sums[1], sums[2]];
}
