import assert from 'node:assert/strict';
import test from 'node:test';
import * as patchwork from '../src/patchwork/index.js';
import { perft, vectors } from './support.js';

const { apply, formatMove, isCovered, legalMoves, parseMoves, parseState, result, score } = patchwork;

const MOST_LEAVES = 100_000;

/** The quilt as the vectors write it. */
function board({ quilt }) {
  const rows = quilt.map((_, row) => quilt.map((_, column) => (isCovered(quilt, column, row) ? '#' : '.')));
  return rows.map((row) => row.join('')).join('/');
}

/** A position's fields in the vectors. */
function told(state) {
  const each = (key) => state.sides.map((side) => side[key]);
  const over = patchwork.isOver(state);
  return {
    over,
    to_move: over ? null : state.turn,
    time: each('time'),
    buttons: each('buttons'),
    income: each('income'),
    scores: score(state),
    offered: patchwork.offer(state).map(({ letter }) => letter),
    special_pending: state.pending,
    first_at_end: state.firstAtEnd || null,
    winner: result(state) || null,
    boards: state.sides.map(board),
  };
}

function only(found, expected) {
  return Object.fromEntries(Object.keys(expected).map((key) => [key, found[key]]));
}

function at({ circle, placement }) {
  return parseState(`${circle} ${placement || '-'}`);
}

/** True if a move is listed, in any spelling of its orientation. */
function isLegal(state, move) {
  const same = (shape, other) => shape.rows.join() === other.rows.join();
  return legalMoves(state).some((listed) => {
    if (listed.patch === '.' || move.patch !== listed.patch) return move.patch === listed.patch;
    const { shapes } = patchwork.patch(move.patch);
    const isThere = move.column === listed.column && move.row === listed.row;
    return isThere && same(shapes[listed.orientation], shapes[move.orientation]);
  });
}

test('games reach the positions of the vectors', () => {
  for (const vector of vectors('patchwork', 'replay')) {
    const state = at(vector);
    assert.deepEqual(only(told(state), vector.expect), vector.expect, vector.id);
  }
});

test('every move of the games is listed as legal', () => {
  for (const vector of vectors('patchwork', 'replay').slice(0, 6)) {
    parseMoves(vector.placement).reduce((state, move) => {
      assert.ok(isLegal(state, move), `${vector.id} ${formatMove(move)}`);
      return apply(state, move);
    }, at({ ...vector, placement: '' }));
  }
});

test('illegal moves are not listed', () => {
  for (const vector of vectors('patchwork', 'illegal')) {
    const moves = parseMoves(vector.placement).slice(0, vector.first_illegal_index + 1);
    const wrong = moves.pop();
    const state = moves.reduce(apply, at({ ...vector, placement: '' }));
    assert.ok(!isLegal(state, wrong), `${vector.id} ${vector.reason}`);
  }
});

test('edge cases match the vectors', () => {
  for (const vector of vectors('patchwork', 'token')) {
    const state = at(vector);
    const [move] = parseMoves(vector.token);
    assert.equal(isLegal(state, move), vector.legal, vector.what);
    if (vector.after) assert.deepEqual(only(told(apply(state, move)), vector.after), vector.after);
  }
});

test('the number of moves matches the vectors', () => {
  for (const vector of vectors('patchwork', 'moves')) {
    const state = at(vector);
    assert.equal(legalMoves(state).length, vector.legal_canonical, vector.id);
    assert.equal(state.turn, vector.to_move);
  }
});

test('perft counts match the vectors', () => {
  for (const vector of vectors('patchwork', 'perft')) {
    vector.counts.filter((count) => count <= MOST_LEAVES).forEach((count, index) => {
      assert.equal(perft(patchwork, at(vector), index + 1), count, vector.id);
    });
  }
});

test('shapes match the vectors', () => {
  assert.equal(patchwork.PATCHES.size, 34);
  const [{ width, height, rows }] = patchwork.patch('Q').shapes;
  assert.deepEqual([width, height, rows], [3, 3, [0b010, 0b111, 0b101]]);
});

test('seven rows of seven make a block', () => {
  const block = [0, 254, 254, 254, 254, 254, 254, 254, 0];
  assert.equal(patchwork.hasBlock(block), true);
  assert.equal(patchwork.hasBlock([...block.slice(0, 7), 126, 0]), false);
});
