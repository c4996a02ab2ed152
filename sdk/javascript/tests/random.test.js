/** The golden values of `judge/docs/determinism.md`, which all kits share. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { Random } from '../src/index.js';

test('the first numbers of seed 0 are those of the referee', () => {
  const random = new Random(0);
  assert.deepEqual([random.next(), random.next(), random.next()], [3234325189, 1963755818, 1465678534]);
});

test('a shuffle is that of the referee', () => {
  assert.deepEqual(new Random(2022).shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), [8, 3, 5, 6, 0, 7, 9, 4, 1, 2]);
});

test('all bits of a large seed and stream are used', () => {
  const random = new Random(2 ** 53 - 1, 12);
  const drawn = [random.next(), random.next()];
  assert.deepEqual(drawn, [3946898693, 4189263495]);
});

test('numbers stay below their bound and differ', () => {
  const random = new Random(7);
  const drawn = Array.from({ length: 1000 }, () => random.below(6));
  assert.deepEqual([...new Set(drawn)].sort(), [0, 1, 2, 3, 4, 5]);
  assert.equal(new Random(7).choice([5]), 5);
});
