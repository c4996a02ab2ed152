/** The referee's own test vectors. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { NEEDS_ASC, load, vectors } from './support.js';

/** A test of a game's module. */
function check(game, what, body) {
  test(`${game}: ${what}`, NEEDS_ASC, async () => body(await load(game)));
}

check('amazons', 'random numbers are the golden ones', (kit) => {
  assert.deepEqual(kit.drawn(0, 0, 3), [3234325189, 1963755818, 1465678534]);
  assert.deepEqual(kit.drawn(2 ** 53 - 1, 12, 2), [3946898693, 4189263495]);
  assert.deepEqual(kit.shuffled(2022), [8, 3, 5, 6, 0, 7, 9, 4, 1, 2]);
});

check('amazons', 'positions', (kit) => {
  for (const { fen, counts, id } of vectors('amazons', 'perft')) {
    counts.filter((count) => count <= 600_000).forEach((count, index) => {
      assert.equal(kit.count(fen, index + 1), count, id);
    });
  }
  for (const vector of vectors('amazons', 'game')) {
    let position = vector.start;
    vector.moves.forEach((move, index) => {
      const moves = kit.moves(position);
      assert.equal(moves.length, vector.legal_counts_before[index], vector.id);
      assert.ok(moves.includes(move), move);
      position = kit.after(position, move);
    });
    assert.equal(position, vector.final);
  }
  for (const { fen, move, legal, what } of vectors('amazons', 'legality')) {
    assert.equal(kit.moves(fen).includes(move), legal, what);
  }
  for (const { fen, count, winner } of vectors('amazons', 'position')) {
    assert.equal(kit.moves(fen).length, count);
    const result = Number(kit.standing(fen).split(' ')[0]);
    assert.equal(result, winner === null ? 0 : 'wb'.indexOf(winner) + 1);
  }
});

/** The position of a vector of Capturing & Conquering. */
function setUp({ size, p1, p2, turn }) {
  const cells = Array.from({ length: size * size }, () => '00');
  for (const [row, column] of p1) cells[row * size + column] = '01';
  for (const [row, column] of p2) cells[row * size + column] = '11';
  return `${turn - 1}${cells.join('')}`;
}

const RESULTS = { null: 0, 1: 1, 2: 2, draw: 3 };

check('cc', 'positions', (kit) => {
  let listed = 0;
  for (const vector of vectors('cc', 'moves')) {
    const position = setUp(vector);
    assert.equal(Number(kit.standing(position).split(' ')[0]), RESULTS[vector.result], vector.id);
    if (vector.result !== null) continue;
    const moves = kit.takes(position);
    assert.equal(moves.length, vector.path_count, vector.id);
    if (!vector.moves) continue;
    listed += 1;
    assert.deepEqual(moves.sort(), vector.moves.toSorted());
  }
  assert.ok(listed > 10);
  for (const vector of vectors('cc', 'perft')) {
    vector.paths.forEach((count, index) => {
      assert.equal(kit.count(setUp(vector), index + 1), count, vector.id);
    });
    assert.equal(kit.bounded(setUp(vector), 5), 5);
  }
  for (const vector of vectors('cc', 'legality')) {
    const legal = kit.moves(setUp(vector)).includes(vector.path);
    assert.equal(legal, vector.legal, vector.what);
  }
});

function inPatchwork({ circle, placement }, more = '') {
  return `${circle} ${`${placement ?? ''}${more}` || '-'}`;
}

/** The moves in a text. */
function movesOf(text) {
  return [...text.matchAll(/\.|..../g)].map(([move]) => move);
}

/** True if a move is listed, in any spelling of its orientation. */
function isLegal(kit, position, move) {
  const rows = (text) => kit.shape(text[0], text.charCodeAt(3) - 65).join();
  return kit.moves(position).some((listed) => {
    if (listed === '.' || move === '.') return listed === move;
    return listed.slice(0, 3) === move.slice(0, 3) && rows(listed) === rows(move);
  });
}

function only(found, expected) {
  return Object.fromEntries(Object.keys(expected).map((key) => [key, found[key]]));
}

check('patchwork', 'positions', (kit) => {
  assert.equal(kit.patches(), 34);
  assert.deepEqual(kit.shape('Q', 0), [0b010, 0b111, 0b101]);
  const block = [0, 254, 254, 254, 254, 254, 254, 254, 0];
  assert.equal(kit.block(block), true);
  assert.equal(kit.block([...block.slice(0, 7), 126, 0]), false);
  for (const vector of vectors('patchwork', 'replay')) {
    const found = JSON.parse(kit.told(inPatchwork(vector)));
    assert.deepEqual(only(found, vector.expect), vector.expect, vector.id);
  }
  for (const vector of vectors('patchwork', 'moves')) {
    assert.equal(kit.moves(inPatchwork(vector)).length, vector.legal_canonical, vector.id);
  }
  for (const vector of vectors('patchwork', 'perft')) {
    vector.counts.filter((count) => count <= 100_000).forEach((count, index) => {
      assert.equal(kit.count(inPatchwork(vector), index + 1), count, vector.id);
    });
  }
});

check('patchwork', 'moves', (kit) => {
  for (const vector of vectors('patchwork', 'illegal')) {
    const moves = movesOf(vector.placement).slice(0, vector.first_illegal_index + 1);
    const wrong = moves.pop();
    const position = inPatchwork({ ...vector, placement: moves.join('') });
    assert.ok(!isLegal(kit, position, wrong), `${vector.id} ${vector.reason}`);
  }
  for (const vector of vectors('patchwork', 'token')) {
    assert.equal(isLegal(kit, inPatchwork(vector), vector.token), vector.legal, vector.what);
    if (!vector.after) continue;
    const found = JSON.parse(kit.told(inPatchwork(vector, vector.token)));
    assert.deepEqual(only(found, vector.after), vector.after);
  }
});

function inAgamemnon({ tiles = '', edges, drawn = '' }) {
  return `${drawn || '-'} ${tiles || '-'} ${edges}`;
}

const kindsOf = (action) => [...action.matchAll(/[OB]([a-j])/g)].map(([, kind]) => kind).join('');

check('agamemnon', 'scores', (kit) => {
  let compared = 0;
  for (const vector of vectors('agamemnon', 'score')) {
    const [, ...scores] = kit.standing(inAgamemnon(vector)).split(' ').map(Number);
    assert.deepEqual(scores, vector.scores, vector.id);
    if (!vector.strings_touched) continue;
    const expected = vector.strings_touched.map(({ type, winner, edges }) => {
      return `${type} ${winner ?? ' '} ${[...edges].sort().join()}`;
    });
    assert.deepEqual(kit.fates(inAgamemnon(vector)).sort(), expected.sort(), vector.id);
    compared += 1;
  }
  assert.ok(compared > 10);
});

check('agamemnon', 'actions', (kit) => {
  for (const vector of vectors('agamemnon', 'game')) {
    let position = inAgamemnon(vector);
    for (const action of vector.actions) {
      const asked = position.replace(/^\S+/, kindsOf(action));
      assert.ok(kit.all(asked).includes(action), action);
      position = kit.after(asked, action);
    }
    assert.equal(position, `- ${vector.final_tiles} ${vector.final_edges}`);
  }
  for (const vector of vectors('agamemnon', 'apply')) {
    const [, tiles, edges] = kit.after(inAgamemnon(vector), vector.action).split(' ');
    assert.deepEqual([tiles, edges], [vector.tiles_after, vector.edges_after], vector.id);
  }
  for (const vector of vectors('agamemnon', 'action_count')) {
    assert.equal(kit.all(inAgamemnon(vector)).length, vector.action_strings, vector.id);
  }
  const [{ edges }] = vectors('agamemnon', 'action_count');
  assert.deepEqual(kit.redraw(inAgamemnon({ edges })), ['no', 'yes', '']);
});

check('agamemnon', 'bags', (kit) => {
  const [{ edges }] = vectors('agamemnon', 'action_count');
  for (const vector of vectors('agamemnon', 'draw')) {
    const seat = vector.player === 'O' ? 1 : 2;
    const left = kit.left(inAgamemnon({ ...vector, edges, drawn: '' }), seat);
    const bag = left.map((count, at) => ['abcdefghij'[at], count]).filter(([, count]) => count > 0);
    assert.deepEqual(Object.fromEntries(bag), vector.bag);
    assert.equal(kit.mover(inAgamemnon({ ...vector, edges, drawn: '' })), seat);
  }
});

check('mahjong', 'hands', (kit) => {
  for (const vector of vectors('mahjong', 'hand')) {
    assert.equal(kit.faan(vector.hand, false), vector.faan, vector.id);
    assert.equal(kit.faan(vector.hand, true), vector.faan_void_suit, vector.id);
    const [form, roots, ...patterns] = kit.reasons(vector.hand);
    assert.equal(form ?? null, vector.form, vector.id);
    assert.equal(Number(roots ?? 0), vector.roots, vector.id);
    assert.deepEqual(patterns, vector.patterns, vector.id);
  }
  const worths = { '44455b111222333c': 3, '11133355577799c': 15, '11112222333344d': 5 * 7 * 11 ** 3 };
  for (const [hand, worth] of Object.entries(worths)) {
    assert.equal(kit.worth(hand, [3, 5, 7, 11]), worth);
  }
  for (const text of ['1478b122367c1389d', '11112345678999c', '']) assert.equal(kit.again(text), text);
});

check('mahjong', 'waits and distances', (kit) => {
  for (const { hand, void_suit: voidSuit, waits, faan } of vectors('mahjong', 'waits')) {
    assert.deepEqual(kit.waits(hand, voidSuit), waits.map((tile) => `${tile} ${faan[tile]}`));
  }
  for (const { hand, distance } of vectors('mahjong', 'distance')) {
    assert.equal(kit.distance(hand), distance, hand);
  }
  assert.deepEqual(kit.useful('123b111c1145677d'), ['1d', '7d']);
  for (const vector of vectors('mahjong', 'round_score')) {
    assert.equal(kit.round(vector.faan, vector.wall_left), vector.round_score);
  }
});
