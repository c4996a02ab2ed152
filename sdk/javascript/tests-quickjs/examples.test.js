/** The examples in QuickJS, a small interpreter: they give the same answers as in Node. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import test from 'node:test';
import { getQuickJS } from 'quickjs-emscripten';
import { Player, makeTools } from '../src/index.js';
import { GAMES, rounds } from '../tests/support.js';

const KIT = new URL('../', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', KIT), 'utf8'));

function normalize(base, name) {
  if (name.startsWith('.')) return posix.join(posix.dirname(base), name);
  return exports[name.replace('judge-bot', '.')].default.slice(2);
}

/** An interpreter with a bot in it. */
async function boot(example) {
  const context = (await getQuickJS()).newContext();
  const load = (name) => readFileSync(new URL(name, KIT), 'utf8');
  context.runtime.setModuleLoader(load, normalize);
  const log = context.newFunction('judgeLog', () => {});
  context.setProp(context.global, 'judgeLog', log);
  log.dispose();
  const ran = context.evalCode(load(example), example, { type: 'module' });
  context.unwrapResult(ran).dispose();
  return context;
}

function answer(context, line) {
  const call = context.evalCode(`judgeLine(${JSON.stringify(line)})`);
  const value = context.unwrapResult(call);
  const text = context.dump(value);
  value.dispose();
  return text;
}

for (const [name, game] of Object.entries(GAMES)) {
  test(`the example for ${name} plays in QuickJS`, async () => {
    const [{ lines }] = rounds(name);
    const context = await boot(`examples/${name}.js`);
    const legal = [];
    const choose = (state) => {
      legal.push(...game.legalMoves(state).map(game.formatMove));
      return game.legalMoves(state)[0];
    };
    const player = new Player(game, choose, makeTools(() => {}, 1));
    for (const line of lines.filter((each) => each.startsWith('2 ')).map((each) => each.slice(2))) {
      if (line.startsWith('> ')) break;
      player.line(line);
      const given = answer(context, line);
      assert.ok(legal.length === 0 ? given === undefined : legal.includes(given), given);
    }
    assert.ok(legal.length > 0);
    context.dispose();
  });
}
