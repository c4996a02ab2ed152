import assert from 'node:assert/strict';
import test from 'node:test';
import * as amazons from '../src/amazons.js';
import { perft, vectors } from './support.js';

const { apply, formatMove, formatState, legalMoves, parseMove, parseState, result } = amazons;

/** Leaves that are counted; the larger numbers of the vectors take long. */
const MOST_LEAVES = 600_000;

test('perft counts match the vectors', () => {
  for (const { fen, counts, id } of vectors('amazons', 'perft')) {
    counts.filter((count) => count <= MOST_LEAVES).forEach((count, index) => {
      assert.equal(perft(amazons, parseState(fen), index + 1), count, id);
    });
  }
});

test('games reach the positions of the vectors', () => {
  for (const vector of vectors('amazons', 'game')) {
    let state = parseState(vector.start);
    vector.moves.forEach((text, index) => {
      const moves = legalMoves(state);
      assert.equal(moves.length, vector.legal_counts_before[index], vector.id);
      assert.ok(moves.map(formatMove).includes(text), text);
      state = apply(state, parseMove(text));
    });
    assert.equal(formatState(state), vector.final);
    check(state, vector.final_count, vector.winner);
  }
});

test('legality of moves matches the vectors', () => {
  for (const { fen, move, legal, what } of vectors('amazons', 'legality')) {
    assert.equal(legalMoves(parseState(fen)).map(formatMove).includes(move), legal, what);
  }
});

test('values of positions match the vectors', () => {
  for (const { fen, count, winner } of vectors('amazons', 'position')) {
    check(parseState(fen), count, winner);
  }
});

function check(state, count, winner) {
  assert.equal(legalMoves(state).length, count);
  assert.equal(result(state), winner === null ? 0 : 'wb'.indexOf(winner) + 1);
}
