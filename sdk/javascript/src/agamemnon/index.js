/** Agamemnon. The rules: `judge/games/src/agamemnon/README.md`. */
import { changed } from '../changed.js';
import { DRAW, OPEN } from '../result.js';
import { edgeBetween, formatEdges, parseEdges } from './board.js';
import { score } from './scoring.js';
import { ALL_TILES, SUPPLY, WARP, formatPlacement, formatTile, parsePlacements } from './tiles.js';

export { STANDARD_EDGES, edgeBetween } from './board.js';
export { score, strings } from './scoring.js';
export { STRENGTH, SUPPLY, WARP, WEFT } from './tiles.js';

/** @typedef {import('./tiles.js').Placement} Placement */

/** The game's name in the protocol. */
export const name = 'agamemnon';

/** Most moves that `legalMoves` lists by default: two Warps can have more. */
export const MOST_LISTED = 65536;

/**
 * A move: the placements of a turn, or `YES` or `NO` to putting a weaver back.
 * @typedef {{ answer: string, placements: Placement[] }} Move
 */

/** Puts the weaver back. @type {Move} */
export const YES = { answer: 'yes', placements: [] };

/** Keeps the weaver. @type {Move} */
export const NO = { answer: 'no', placements: [] };

/** A position, and everything else that the bot knows of the round. */
export class State {
  /** The bot's seat: 1 is O, 2 is B. */
  seat = 1;
  /** The nodes and the edges between them. */
  board = parseEdges('').board;
  /** The type of each edge: `S`, `L`, `F` or `E`. @type {string[]} */
  types = [];
  /** The kind of the tile on each node, '' for none. @type {string[]} */
  kinds = [];
  /** The seat of the tile on each node, 0 for none. @type {number[]} */
  owners = [];
  /** All tiles in the order in which they were placed, as text. */
  tiles = '';
  /** The question to the bot: 'move', 'redraw', or '' when it is not its turn. */
  question = '';
  /** The kinds to place at the question 'move'; the weaver at the question 'redraw'. */
  drawn = '';
  /** The move made last. @type {Move | null} */
  lastMove = null;
}

/** The state before the board is known. @param {import('../greeting.js').Greeting} greeting */
export function start({ seat }) {
  return changed(new State(), { seat });
}

/** @param {State} state @param {string[]} words */
export function hear(state, [word, text]) {
  if (word === 'edges') return changed(withBoard('-', text), { seat: state.seat });
  if (word !== 'opponent') return state;
  return apply(state, parseMove(text));
}

/** @param {State} state @param {string[]} words */
export function ask(state, [word, drawn, tiles, edges]) {
  if (word === 'redraw?') return changed(state, { question: 'redraw', drawn });
  const { seat, lastMove } = state;
  return changed(withBoard(tiles, edges), { seat, lastMove, question: 'move', drawn });
}

/** @param {string} tiles @param {string} edges */
function withBoard(tiles, edges) {
  const { board, types } = parseEdges(edges);
  const kinds = new Array(board.nodes).fill('');
  const owners = new Array(board.nodes).fill(0);
  const text = tiles === '-' ? '' : tiles;
  for (let at = 0; at < text.length; at += 4) {
    const node = Number(text.slice(at + 2, at + 4));
    kinds[node] = text[at + 1];
    owners[node] = text[at] === 'O' ? 1 : 2;
  }
  return changed(new State(), { board, types, kinds, owners, tiles: text });
}

/** Reads `<drawn> <tiles> <edges>`, with `-` for nothing; the bot has the seat on turn. @param {string} text */
export function parseState(text) {
  const [drawn, tiles, edges] = text.split(' ');
  const state = withBoard(tiles, edges);
  return changed(state, { seat: turn(state), question: 'move', drawn: drawn === '-' ? '' : drawn });
}

/** Writes a position as the question does. @param {State} state */
export function formatState({ drawn, tiles, board, types }) {
  return `${drawn || '-'} ${tiles || '-'} ${formatEdges(board, types)}`;
}

/** Reads a move such as `Oj151020Of04`, `yes` or `no`. @param {string} text @returns {Move} */
export function parseMove(text) {
  if (text === 'yes') return YES;
  return text === 'no' ? NO : { answer: '', placements: parsePlacements(text) };
}

/** Writes a move as the judge reads it. @param {Move} move */
export function formatMove({ answer, placements }) {
  return answer || placements.map(formatPlacement).join('');
}

/** The number of tiles that have been placed. @param {State} state */
export function placed({ tiles }) {
  return tiles.length / 4;
}

/** The seat that places the next tile: O one, then B and O two each in turn. @param {State} state */
export function turn(state) {
  return Math.floor((placed(state) + 1) / 2) % 2 === 0 ? 1 : 2;
}

/** The number of tiles that the seat on turn draws: two, but one at the very start and at the end. @param {State} state */
export function tilesInTurn(state) {
  const before = placed(state);
  return before === 0 || before === ALL_TILES - 1 ? 1 : 2;
}

/** The number of tiles of each kind that a seat has not placed yet, including those just drawn. @param {State} state @param {number} seat */
export function bag({ kinds, owners }, seat) {
  const counts = { ...SUPPLY };
  kinds.forEach((kind, node) => {
    if (owners[node] === seat) counts[kind] -= 1;
  });
  return counts;
}

/** Every way to place one tile of a kind, by the seat on turn; the first half of a move. @param {State} state @param {string} kind */
export function placements(state, kind) {
  const seat = turn(state);
  /** @type {Placement[]} */
  const found = [];
  state.owners.forEach((owner, node) => {
    if (owner > 0) return;
    if (kind !== WARP) found.push({ seat, kind, node, x: -1, y: -1 });
    else addWarps(found, seat, node, state.board.neighbours[node]);
  });
  return found;
}

/** @param {Placement[]} found @param {number} seat @param {number} node @param {number[]} ends */
function addWarps(found, seat, node, ends) {
  for (const x of ends) {
    for (const y of ends) found.push({ seat, kind: WARP, node, x, y });
  }
}

/**
 * The legal moves: in the order of the draw, then the other way round, by node and a Warp's edges.
 * @param {State} state @param {number} most upper bound on the number of moves
 */
export function legalMoves(state, most = MOST_LISTED) {
  if (state.question === 'redraw') return [NO, YES];
  /** @type {Move[]} */
  const moves = [];
  const [first, second] = state.drawn;
  if (first === undefined) return moves;
  addOrder(moves, state, first, second, most);
  if (second !== undefined && second !== first) addOrder(moves, state, second, first, most);
  return moves;
}

/** @param {Move[]} moves @param {State} state @param {string} first @param {string | undefined} second @param {number} most */
function addOrder(moves, state, first, second, most) {
  const ones = placements(state, first);
  const others = second === undefined ? [] : placements(state, second);
  for (const one of ones) {
    if (second === undefined) moves.push({ answer: '', placements: [one] });
    for (const other of others) {
      if (moves.length >= most) return;
      if (other.node !== one.node) moves.push({ answer: '', placements: [one, other] });
    }
  }
}

/** The state after one placement, to plan a turn tile by tile. @param {State} state @param {Placement} placement */
export function place(state, placement) {
  const { seat, kind, node } = placement;
  const kinds = state.kinds.slice();
  const owners = state.owners.slice();
  kinds[node] = kind;
  owners[node] = seat;
  const types = kind === WARP ? warped(state, placement) : state.types;
  return changed(state, { kinds, owners, types, tiles: state.tiles + formatTile(placement) });
}

/** The types of the edges after a Warp. @param {State} state @param {Placement} warp */
function warped({ board, types }, { node, x, y }) {
  const next = types.slice();
  const [one, other] = [edgeBetween(board, node, x), edgeBetween(board, node, y)];
  next[one] = types[other];
  next[other] = types[one];
  return next;
}

/** The state after a legal move. @param {State} state @param {Move} move */
export function apply(state, move) {
  const asked = changed(state, { question: '', drawn: '' });
  if (move.answer !== '') return asked;
  return changed(move.placements.reduce(place, asked), { lastMove: move });
}

/** The seat that has won, `DRAW`, or `OPEN` while tiles are left. @param {State} state */
export function result(state) {
  if (placed(state) < ALL_TILES) return OPEN;
  const [one, two] = score(state);
  if (one === two) return DRAW;
  return one > two ? 1 : 2;
}
