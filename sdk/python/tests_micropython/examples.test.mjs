/**
 * The examples in MicroPython, a small interpreter: they give legal answers there, too.
 * `npm install @micropython/micropython-webassembly-pyscript`, then `node --test tests_micropython/`.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

const KIT = new URL('../', import.meta.url);
const GAMES = ['agamemnon', 'amazons', 'cc', 'mahjong', 'patchwork'];

/** Paths of the kit's files, from its folder on. */
const FILES = readdirSync(new URL('judge_bot/', KIT), { recursive: true }).filter((name) => name.endsWith('.py'));

/** The host: it keeps the function that answers lines. */
const HOST = `
line = None
def connect(function):
    global line
    line = function
def log(text):
    pass
`;

/** An interpreter with the kit and a host in it. */
async function boot() {
  const python = await loadMicroPython({ heapsize: 4 * 1024 * 1024 });
  for (const name of FILES) {
    const inside = `/judge_bot/${name}`;
    python.FS.mkdirTree(inside.slice(0, inside.lastIndexOf('/')));
    python.FS.writeFile(inside, readFileSync(new URL(`judge_bot/${name}`, KIT)));
  }
  python.FS.writeFile('/judge_host.py', HOST);
  python.runPython('import sys\nsys.path.append("/")\nimport judge_host');
  return python;
}

/** The lines of seat 2 in the first recorded round, up to its first answer. */
function opening(game) {
  const [, block] = readFileSync(new URL(`../golden/${game}.txt`, KIT), 'utf8').split(/^round /m);
  const heard = block.split('\n').filter((line) => line.startsWith('2 ')).map((line) => line.slice(2));
  return heard.slice(0, heard.findIndex((line) => line.startsWith('> ')));
}

for (const game of GAMES) {
  test(`the example for ${game} plays in MicroPython`, async () => {
    const python = await boot();
    python.runPython(readFileSync(new URL(`examples/${game}_bot.py`, KIT), 'utf8'));
    const lines = opening(game);
    for (const line of lines) {
      python.globals.set('text', line);
      python.runPython('answer = judge_host.line(text)');
      if (line !== lines.at(-1)) assert.equal(python.globals.get('answer') ?? null, null);
    }
    python.runPython(`
from judge_bot import ${game} as game, Player, Tools
legal = []
def choose(state, tools):
    global legal
    legal = [game.format_move(move) for move in game.legal_moves(state)]
    return game.legal_moves(state)[0]
player = Player(game, choose, Tools(print))`);
    for (const line of lines) {
      python.globals.set('text', line);
      python.runPython('player.line(text)');
    }
    python.runPython('is_legal = answer in legal');
    assert.equal(python.globals.get('is_legal'), true);
  });
}
