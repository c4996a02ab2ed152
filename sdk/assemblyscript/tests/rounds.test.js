/** Rounds recorded by the judge: the same legal moves and scores at every question, and the same end. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { NEEDS_ASC, load, rounds } from './support.js';

const RESULTS = { loss: (seat) => 3 - seat, win: (seat) => seat, draw: () => 3 };

function replay(game, name, lines) {
  game.begin(1);
  let questions = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const [seat, text] = [Number(lines[at][0]), lines[at].slice(2)];
    if (!text.split(' ')[0].endsWith('?')) {
      assert.equal(game.tell(seat, text, ''), '');
      if (text.startsWith('end ')) checkEnd(game, name, seat, text.split(' '));
      continue;
    }
    const [expected, answer] = [lines[at + 1].slice(2), lines[at + 2].slice(4)];
    assert.equal(game.tell(seat, text, answer), answer);
    assert.equal(game.question(), expected, text);
    at += 2;
    questions += 1;
  }
  assert.ok(questions > 3);
}

function checkEnd(game, name, seat, [, told, own, other]) {
  const [result, ...scores] = game.end(seat).split(' ');
  assert.equal(Number(result), RESULTS[told](seat));
  // The state does not know the worth of the other side's hidden hand.
  if (name === 'mahjong' && told === 'loss') return;
  assert.deepEqual(seat === 1 ? scores : scores.reverse(), [own, other]);
}

for (const name of ['agamemnon', 'amazons', 'cc', 'mahjong', 'patchwork']) {
  test(`${name}: recorded rounds`, NEEDS_ASC, async () => {
    const game = await load(name);
    for (const { lines } of rounds(name)) replay(game, name, lines);
  });
}

/** Rounds in which the judge's `random` plays: its seat, and the seed. */
function againstRandom(title) {
  const [, seat, seed] = title.match(/in seat (\d), random, seed (\d+)/) ?? [];
  return seat === undefined ? null : { seat: 3 - Number(seat), seed: Number(seed) };
}

for (const name of ['amazons', 'cc', 'patchwork']) {
  test(`${name}: moves are listed in the referee's order`, NEEDS_ASC, async () => {
    const game = await load(name);
    let played = 0;
    for (const { title, lines } of rounds(name)) {
      const random = againstRandom(title);
      if (random === null) continue;
      game.begin(random.seed);
      const heard = lines.filter((line) => line.startsWith(`${random.seat} `)).map((line) => line.slice(2));
      const told = heard.filter((line) => !line.startsWith('> '));
      const answers = told.map((line) => game.tell(random.seat, line, 'random'));
      const expected = heard.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
      assert.deepEqual(answers.filter((answer) => answer !== ''), expected, title);
      played += 1;
    }
    assert.ok(played > 0);
  });
}
