/** Rounds recorded by the judge: the same legal moves and scores at every question, and the same end. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { Player, Random, makeTools } from '../src/index.js';
import { GAMES, fingerprint, rounds } from './support.js';

/** A player that is checked at every question and gives the recorded answer. */
class Witness {
  constructor(game) {
    this.game = game;
    const choose = (state) => this.choose(state);
    this.player = new Player(game, choose, makeTools(() => {}, 1));
  }

  choose(state) {
    const { game } = this;
    const moves = game.legalMoves(state).map(game.formatMove);
    const [one, two] = game.score(state);
    assert.equal(`${moves.length} ${fingerprint(moves)} ${one} ${two}`, this.expected, this.question);
    assert.equal(game.result(state), 0);
    return game.parseMove(this.answer);
  }

  ask(question, expected, answer) {
    Object.assign(this, { question, expected, answer });
    assert.equal(this.player.line(question), answer);
  }

  tell(notice) {
    assert.equal(this.player.line(notice), undefined);
    if (notice.startsWith('end ')) this.end(notice.split(' '));
  }

  end([, told, own, other]) {
    const { game, player: { state } } = this;
    const winner = { win: state.seat, loss: 3 - state.seat, draw: 3 }[told];
    assert.equal(game.result(state), winner);
    // The state does not know the worth of the other side's hidden hand.
    if (game.name === 'mahjong' && told === 'loss') return;
    const scores = game.score(state).map(String);
    assert.deepEqual(state.seat === 1 ? scores : scores.reverse(), [own, other]);
  }
}

function replay(game, lines) {
  const seats = [new Witness(game), new Witness(game)];
  let questions = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const [seat, text] = [seats[lines[at][0] - 1], lines[at].slice(2)];
    if (!text.split(' ')[0].endsWith('?')) {
      seat.tell(text);
      continue;
    }
    seat.ask(text, lines[at + 1].slice(2), lines[at + 2].slice(4));
    at += 2;
    questions += 1;
  }
  assert.ok(questions > 3);
}

for (const [name, game] of Object.entries(GAMES)) {
  for (const { title, lines } of rounds(name)) test(`${name}: ${title}`, () => replay(game, lines));
}

/** Rounds in which the judge's `random` plays: its seat, and the seed. */
function againstRandom(title) {
  const [, seat, seed] = title.match(/in seat (\d), random, seed (\d+)/) ?? [];
  return seat === undefined ? null : { seat: 3 - Number(seat), seed: Number(seed) };
}

for (const name of ['amazons', 'cc', 'patchwork']) {
  test(`${name}: moves are listed in the referee's order`, () => {
    const game = GAMES[name];
    for (const { title, lines } of rounds(name)) {
      const random = againstRandom(title);
      if (random === null) continue;
      // The streams of the judge's opponents are 4 and 5.
      const tools = { log() {}, random: new Random(random.seed, 3 + random.seat) };
      const player = new Player(game, (state) => tools.random.choice(game.legalMoves(state)), tools);
      const heard = lines.filter((line) => line.startsWith(`${random.seat} `)).map((line) => line.slice(2));
      const answers = heard.filter((line) => !line.startsWith('> ')).map((line) => player.line(line));
      const expected = heard.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
      assert.deepEqual(answers.filter((answer) => answer !== undefined), expected, title);
    }
  });
}
