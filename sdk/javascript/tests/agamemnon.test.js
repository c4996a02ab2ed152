import assert from 'node:assert/strict';
import test from 'node:test';
import * as agamemnon from '../src/agamemnon/index.js';
import { vectors } from './support.js';

const { apply, formatMove, formatState, legalMoves, parseMove, parseState, score } = agamemnon;

/** More than the moves of any turn. */
const ALL = 10 ** 6;

function at({ tiles = '', edges, drawn = '' }) {
  return parseState(`${drawn || '-'} ${tiles || '-'} ${edges}`);
}

/** Strings in the form of the vectors. */
function told(state) {
  const ends = (edge) => state.board.ends[edge].map((node) => String(node).padStart(2, '0')).join('');
  return agamemnon.strings(state).map(({ type, edges, winner }) => {
    return { type, edges: edges.map(ends).sort(), winner: [null, 'O', 'B'][winner], points: edges.length };
  });
}

function sorted(strings) {
  const key = ({ type, edges }) => type + edges.join();
  return strings
    .map((string) => ({ ...string, edges: [...string.edges].sort() }))
    .sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

test('scores match the vectors', () => {
  let compared = 0;
  for (const vector of vectors('agamemnon', 'score')) {
    const state = at(vector);
    assert.deepEqual(score(state), vector.scores, vector.id);
    if (!vector.strings_touched) continue;
    assert.deepEqual(sorted(told(state)), sorted(vector.strings_touched), vector.id);
    compared += 1;
  }
  assert.ok(compared > 10);
});

test('games reach the positions of the vectors', () => {
  for (const vector of vectors('agamemnon', 'game')) {
    let state = at(vector);
    for (const text of vector.actions) {
      const move = parseMove(text);
      const drawn = move.placements.map(({ kind }) => kind).join('');
      const asked = Object.assign(at({ edges: '' }), state, { question: 'move', drawn });
      assert.ok(legalMoves(asked, ALL).map(formatMove).includes(text), text);
      state = apply(asked, move);
    }
    assert.equal(formatState(state), `- ${vector.final_tiles} ${vector.final_edges}`);
    assert.deepEqual(score(state), vector.scores);
    assert.notEqual(agamemnon.result(state), 0);
  }
});

test('actions change edges as in the vectors', () => {
  for (const vector of vectors('agamemnon', 'apply')) checkApply(vector);
});

function checkApply(vector) {
  const state = apply(at(vector), parseMove(vector.action));
  assert.equal(state.tiles, vector.tiles_after, vector.id);
  assert.equal(formatState(state).split(' ')[2], vector.edges_after, vector.id);
}

test('the number of actions matches the vectors', () => {
  for (const vector of vectors('agamemnon', 'action_count')) {
    const moves = legalMoves(at(vector), ALL);
    assert.equal(moves.length, vector.action_strings, vector.id);
    assert.equal(new Set(moves.map(formatMove)).size, moves.length);
  }
});

test('perft counts match the vectors', () => {
  for (const vector of vectors('agamemnon', 'perft')) {
    vector.counts.filter((count) => count < 100_000).forEach((count, index) => {
      assert.equal(perftOf(at(vector), vector.draws.slice(0, index + 1)), count, vector.id);
    });
  }
});

function perftOf(state, [drawn, ...rest]) {
  const moves = legalMoves(Object.assign(at({ edges: '' }), state, { question: 'move', drawn }), ALL);
  if (rest.length === 0) return moves.length;
  return moves.reduce((sum, move) => sum + perftOf(apply(state, move), rest), 0);
}

test('bags match the vectors', () => {
  for (const vector of vectors('agamemnon', 'draw')) {
    const state = at({ ...vector, edges: agamemnon.STANDARD_EDGES });
    const left = Object.entries(agamemnon.bag(state, vector.player === 'O' ? 1 : 2));
    assert.deepEqual(Object.fromEntries(left.filter(([, count]) => count > 0)), vector.bag);
    assert.equal(agamemnon.turn(state), vector.player === 'O' ? 1 : 2);
  }
});

test('a weaver may be put back', () => {
  const state = agamemnon.ask(at({ edges: agamemnon.STANDARD_EDGES }), ['redraw?', 'i']);
  assert.deepEqual(legalMoves(state).map(formatMove), ['no', 'yes']);
  assert.equal(apply(state, agamemnon.YES).tiles, '');
});

test('legality of actions matches the vectors', () => {
  for (const vector of vectors('agamemnon', 'action_valid')) {
    const kinds = parseMove(vector.action).placements.map(({ kind }) => kind);
    const state = at({ ...vector, drawn: kinds.join('') });
    const isListed = legalMoves(state, ALL).map(formatMove).includes(vector.action);
    const legal = isListed && canBeDrawn(state, kinds);
    assert.equal(legal, vector.valid, `${vector.id} ${vector.action}`);
  }
});

/** True if the judge could draw these tiles now. */
function canBeDrawn(state, kinds) {
  const left = agamemnon.bag(state, agamemnon.turn(state));
  for (const kind of kinds) left[kind] -= 1;
  return kinds.length === agamemnon.tilesInTurn(state) && Object.values(left).every((count) => count >= 0);
}
