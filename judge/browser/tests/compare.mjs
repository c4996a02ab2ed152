// Compares bots as the page does, in one thread: `node compare.mjs ENGINE.wasm SUITE ROUNDS EARLIER BOT`
// prints the figures, and both replays of each round with the largest losses. EARLIER is a module, or
// the name of a reference opponent.
import { readFileSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { playRound } from "../grade/bot.js";
import { Engine } from "../grade/engine.js";

const [compiled, folder, rounds, earlier, bot] = process.argv.slice(2);
const engine = new Engine(new WebAssembly.Module(readFileSync(compiled)));
const names = readdirSync(folder).filter((name) => name.endsWith(".toml"));
const files = names.map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")]);

function take(path) {
  engine.do({ do: "module", name: basename(path, ".wasm") }, readFileSync(path));
  engine.do({ do: "rewrite" });
  return new WebAssembly.Module(engine.taken());
}

const play = ({ spec, version }) =>
  modules[version] ? playRound(engine, modules[version], spec) : engine.do({ do: "references", spec });

function replay(place) {
  play({ spec: engine.do({ do: "single-compared", place }), version: place[2] });
  return engine.do({ do: "replay" });
}

engine.do({ do: "suite", name: basename(folder), files });
const isModule = earlier.endsWith(".wasm");
const modules = [isModule ? take(earlier) : null];
if (isModule) engine.do({ do: "earlier" });
modules.push(take(bot));
engine.do({ do: "compare", opponent: isModule ? undefined : earlier, rounds: Number(rounds) });
do {
  for (let next = engine.do({ do: "next-compared" }); next; next = engine.do({ do: "next-compared" })) {
    engine.do({ do: "took-compared", job: next.job, outline: play(next).outline });
  }
} while (engine.do({ do: "look" }).left > 0);
const figures = engine.do({ do: "figures" });
const replays = figures.worst.map(({ place }) => [0, 1].map((version) => replay([...place, version])));
process.stdout.write(JSON.stringify({ figures, replays }));
