import assert from 'node:assert/strict';
import test from 'node:test';
import * as mahjong from '../src/mahjong/index.js';
import { vectors } from './support.js';

const { DEFAULT_RULES, distance, faan, formatHand, formatTile, parseHand, tilesOf } = mahjong;

const VOID_SUIT = { ...DEFAULT_RULES, voidSuit: true };

/** The patterns by the names of the vectors. */
function patterns(win) {
  const names = [
    [win.fullFlush, 'Full Flush'],
    [win.allTriplets, 'All Triplets'],
    [win.sevenPairs, 'Seven Pairs'],
  ];
  return names.filter(([counts]) => counts).map(([, name]) => name);
}

test('values of hands match the vectors', () => {
  for (const vector of vectors('mahjong', 'hand')) {
    const hand = parseHand(vector.hand);
    const win = mahjong.winOf(hand);
    assert.equal(tilesOf(hand).length, vector.tiles);
    assert.equal(faan(hand), vector.faan, vector.id);
    assert.equal(faan(hand, VOID_SUIT), vector.faan_void_suit, vector.id);
    const form = win && (win.sevenPairs ? 'seven pairs' : 'standard');
    assert.equal(form, vector.form, vector.id);
    assert.deepEqual(win ? patterns(win) : [], vector.patterns, vector.id);
    assert.equal(win?.roots ?? 0, vector.roots, vector.id);
  }
});

test('hands wait for the tiles of the vectors', () => {
  for (const { hand: text, void_suit: voidSuit, waits, faan: worth } of vectors('mahjong', 'waits')) {
    const rules = { ...DEFAULT_RULES, voidSuit };
    const hand = parseHand(text);
    const found = mahjong.waits(hand, rules);
    assert.deepEqual(found.map(formatTile), waits);
    for (const tile of found) assert.equal(mahjong.faanWith(hand, tile, rules), worth[formatTile(tile)]);
  }
});

test('distances match the vectors', () => {
  for (const { hand, distance: expected } of vectors('mahjong', 'distance')) {
    assert.equal(distance(parseHand(hand)), expected, hand);
  }
});

test('useful tiles bring a hand nearer', () => {
  const useful = (text) => mahjong.usefulTiles(parseHand(text)).map(formatTile);
  assert.deepEqual(useful('1112345678999c'), ['1c', '2c', '3c', '4c', '5c', '6c', '7c', '8c', '9c']);
  assert.deepEqual(useful('1111b456789c123d'), []);
  assert.deepEqual(useful('123b111c1145677d'), ['1d', '7d']);
});

test('scores of rounds match the vectors', () => {
  for (const vector of vectors('mahjong', 'round_score')) {
    assert.equal(mahjong.roundScore(vector.faan, vector.wall_left), vector.round_score);
  }
});

test('hands are written as they were read', () => {
  for (const text of ['1478b122367c1389d', '11112345678999c', '']) {
    assert.equal(formatHand(parseHand(text)), text);
  }
});

test('a full hand of every factor', () => {
  const rules = { voidSuit: false, allTriplets: 3, fullFlush: 5, sevenPairs: 7, root: 11 };
  const worths = { '44455b111222333c': 3, '11133355577799c': 15, '11112222333344d': 5 * 7 * 11 ** 3 };
  for (const [text, worth] of Object.entries(worths)) assert.equal(faan(parseHand(text), rules), worth);
});
