/** Shared parts of the tests: the compiler, the games' modules, recorded rounds, test vectors. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SDK = new URL('../../', import.meta.url);

/** The compiler: `$ASC`, the project's own, or the one in `PATH`. */
function compiler() {
  const own = fileURLToPath(new URL('../node_modules/assemblyscript/bin/asc.js', import.meta.url));
  const candidates = [process.env.ASC?.split(' '), existsSync(own) && ['node', own], ['asc']];
  const works = (command) => spawnSync(command[0], [...command.slice(1), '--version']).status === 0;
  return candidates.filter(Boolean).find(works);
}

/** The command of the compiler; none without a compiler. */
export const ASC = compiler();

const loaded = new Map();

/** A file of `tests/entries`, compiled and instantiated: its functions, with texts and lists. */
export function load(game) {
  if (!loaded.has(game)) loaded.set(game, compile(game));
  return loaded.get(game);
}

async function compile(game) {
  const folder = mkdtempSync(join(tmpdir(), 'judge-as-'));
  try {
    const out = join(folder, `${game}.wasm`);
    const entry = fileURLToPath(new URL(`entries/${game}.ts`, import.meta.url));
    const options = [entry, '--outFile', out, '--bindings', 'raw', '--exportRuntime', '-O2'];
    const ran = spawnSync(ASC[0], [...ASC.slice(1), ...options], { encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(ran.stderr + ran.stdout);
    const module = await WebAssembly.compile(readFileSync(out));
    const source = readFileSync(out.replace(/wasm$/, 'js'));
    const { instantiate } = await import(`data:text/javascript;base64,${source.toString('base64')}`);
    return await instantiate(module, { judge: { log() {} } });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function read(path) {
  return readFileSync(new URL(path, SDK), 'utf8');
}

/** The referee's test vectors of a game, of one kind. */
export function vectors(game, kind) {
  const file = JSON.parse(read(`../judge/games/src/${game}/golden/vectors.json`));
  const found = file.vectors.filter((vector) => vector.kind === kind);
  if (found.length === 0) throw new Error(`no vectors of kind ${kind}`);
  return found;
}

/** The recorded rounds of a game: `sdk/golden/record.py` says how they are written. */
export function rounds(game) {
  const blocks = read(`golden/${game}.txt`).split(/^round /m).slice(1);
  return blocks.map((block) => {
    const [title, ...lines] = block.trimEnd().split('\n');
    return { title, lines };
  });
}

/** Tests that need the compiler: without one they are skipped, and say so. */
export const NEEDS_ASC = ASC ? {} : { skip: 'no AssemblyScript here (npm install assemblyscript)' };

