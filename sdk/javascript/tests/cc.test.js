import assert from 'node:assert/strict';
import test from 'node:test';
import * as cc from '../src/cc.js';
import { perft, vectors } from './support.js';

const { apply, captured, formatMove, legalMoves, parseMove, result, squareAt } = cc;

/** The position of a vector. */
function setUp({ size, p1, p2, turn }) {
  const cells = Array.from({ length: size * size }, () => '00');
  for (const [row, column] of p1) cells[row * size + column] = '01';
  for (const [row, column] of p2) cells[row * size + column] = '11';
  return cc.parseState(`${turn - 1}${cells.join('')}`);
}

/** A move as the vectors write it, with the man that it takes. */
function withCapture(state, move) {
  const taken = captured(state, move);
  const suffix = taken > 0 ? ` x${cc.rowOf(taken)},${cc.columnOf(taken)}` : '';
  return formatMove(move) + suffix;
}

/** The effect of a move, on whichever way the man took. */
function outcomes(state, moves) {
  return new Set(moves.map((move) => `${move.path[0]} ${move.path.at(-1)} ${captured(state, move)}`));
}

const RESULTS = { null: 0, 1: 1, 2: 2, draw: 3 };

test('moves match the vectors', () => {
  let listed = 0;
  for (const vector of vectors('cc', 'moves')) {
    const state = setUp(vector);
    assert.equal(result(state), RESULTS[vector.result], vector.id);
    // The vectors list moves of finished positions too, which cannot be played.
    if (vector.result !== null) continue;
    const moves = legalMoves(state);
    assert.equal(moves.length, vector.path_count, vector.id);
    assert.equal(outcomes(state, moves).size, vector.outcome_count, vector.id);
    if (!vector.moves) continue;
    listed += 1;
    assert.deepEqual(moves.map((move) => withCapture(state, move)).sort(), vector.moves.toSorted());
  }
  assert.ok(listed > 10);
});

test('games reach the positions of the vectors', () => {
  for (const { moves, final, size, result: expected } of vectors('cc', 'game')) {
    const options = { size: String(size), max_plies: '1000', opening: '0' };
    let state = cc.start({ game: 'cc', seat: 1, options });
    for (const text of moves) {
      assert.ok(legalMoves(state).map(formatMove).includes(text), text);
      state = apply(state, parseMove(text));
    }
    assert.equal(cc.formatState(state), cc.formatState(setUp(final)));
    assert.equal(result(state), RESULTS[expected]);
  }
});

test('perft counts match the vectors', () => {
  for (const vector of vectors('cc', 'perft')) {
    vector.paths.forEach((count, index) => {
      assert.equal(perft(cc, setUp(vector), index + 1), count, vector.id);
    });
  }
});

test('legality of moves matches the vectors', () => {
  for (const vector of vectors('cc', 'legality')) {
    const state = setUp(vector);
    const legal = legalMoves(state).map(formatMove).includes(vector.path);
    assert.equal(legal, vector.legal, vector.what);
    if (!legal || !vector.captured) continue;
    const [row, column] = String(vector.captured).split(',').map(Number);
    assert.equal(captured(state, parseMove(vector.path)), squareAt(row, column));
  }
});

test('at most the requested number of moves is listed', () => {
  const [vector] = vectors('cc', 'perft');
  assert.equal(legalMoves(setUp(vector), 5).length, 5);
});
