/** Shared parts of the tests: the games, the recorded rounds and the referee's test vectors. */
import { readFileSync } from 'node:fs';
import * as agamemnon from '../src/agamemnon/index.js';
import * as amazons from '../src/amazons.js';
import * as cc from '../src/cc.js';
import * as mahjong from '../src/mahjong/index.js';
import * as patchwork from '../src/patchwork/index.js';

/** Every game's module. */
export const GAMES = { agamemnon, amazons, cc, mahjong, patchwork };

const SDK = new URL('../../', import.meta.url);

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

/** FNV-1a of the sorted answers, as the recorded rounds have it. */
export function fingerprint(texts) {
  let hashed = 0x811c9dc5;
  for (const byte of Buffer.from([...texts].sort().join('\n'))) {
    hashed = Math.imul(hashed ^ byte, 0x01000193);
  }
  return (hashed >>> 0).toString(16).padStart(8, '0');
}

/** The number of sequences of moves, each applied. */
export function perft(game, state, depth) {
  if (depth === 0) return 1;
  const moves = game.legalMoves(state);
  if (depth === 1) return moves.length;
  return moves.reduce((sum, move) => sum + perft(game, game.apply(state, move), depth - 1), 0);
}
