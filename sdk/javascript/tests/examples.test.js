/** The bots of the README, as separate programs: they get recorded lines and answer legally. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { Player, makeTools } from '../src/index.js';
import { GAMES, rounds } from './support.js';

/** The lines of one seat up to its first answer: the rest would not be its own game. */
function opening(lines, seat) {
  const heard = lines.filter((line) => line.startsWith(`${seat} `)).map((line) => line.slice(2));
  return heard.slice(0, heard.findIndex((line) => line.startsWith('> ')));
}

function answersOf(example, lines) {
  const program = fileURLToPath(new URL(`../examples/${example}.js`, import.meta.url));
  const ran = spawnSync('node', [program], { input: lines.map((line) => `${line}\n`).join(''), encoding: 'utf8' });
  assert.equal(ran.status, 0, ran.stderr);
  return ran.stdout.trimEnd().split('\n');
}

/** The legal answers to the last of the lines. */
function legalAnswers(game, lines) {
  let legal = [];
  const choose = (state) => {
    const moves = game.legalMoves(state);
    legal = moves.map(game.formatMove);
    return moves[0];
  };
  const player = new Player(game, choose, makeTools(() => {}, 1));
  for (const line of lines) player.line(line);
  return legal;
}

for (const [name, game] of Object.entries(GAMES)) {
  test(`the example for ${name} answers legally`, () => {
    for (const { title, lines } of rounds(name)) {
      for (const seat of [1, 2]) {
        const heard = opening(lines, seat);
        const [answer, ...more] = answersOf(name, heard);
        assert.ok(legalAnswers(game, heard).includes(answer), `${title}: ${answer}`);
        assert.deepEqual(more, []);
      }
    }
  });
}
