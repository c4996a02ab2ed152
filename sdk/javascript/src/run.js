/**
 * Connects a bot to its host, without importing anything of it. Three hosts are known:
 * an interpreter that passes lines to a global function `judgeLine` and offers a global `judgeLog`;
 * QuickJS with its global `std`; and Node, for tests at home.
 */
import { Player, makeTools } from './player.js';

/** @type {any} */
const host = globalThis;

/** The log function of this host. @returns {(text: string) => void} */
function hostLog() {
  if (host.judgeLog) return (text) => host.judgeLog(text);
  if (host.std) return (text) => host.std.err.puts(`${text}\n`);
  return (text) => host.console.error(text);
}

/**
 * Plays a round: reads the judge's lines and prints the answers.
 * @template State, Move
 * @param {import('./player.js').Game<State, Move>} game a game's module
 * @param {(state: State, tools: import('./player.js').Tools) => Move} chooseMove the bot
 * @param {{ seed?: number }} options the seed of the bot's random numbers
 */
export function run(game, chooseMove, { seed = 1 } = {}) {
  const player = new Player(game, chooseMove, makeTools(hostLog(), seed));
  host.judgeLine = (/** @type {string} */ text) => player.line(text);
  if (host.std) readWithStd(player, host.std);
  else if (host.process?.stdin) readWithNode(player, host.process);
}

/** @param {Player<any, any>} player @param {any} std */
function readWithStd(player, std) {
  for (let text = std.in.getline(); text !== null; text = std.in.getline()) {
    const answer = player.line(text);
    if (answer === undefined) continue;
    std.out.puts(`${answer}\n`);
    std.out.flush();
  }
}

/** @param {Player<any, any>} player @param {any} process */
function readWithNode(player, process) {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (/** @type {string} */ chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      const answer = player.line(text);
      if (answer !== undefined) process.stdout.write(`${answer}\n`);
    }
  });
}
