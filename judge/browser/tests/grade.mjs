// Grades bots as the page does, in one thread: `node grade.mjs ENGINE.wasm SUITE BOT…` prints the
// report of each, and the replay of its last round. A bot is a module, or a source that the page
// builds.
import { readFileSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { playRound } from "../grade/bot.js";
import { Engine } from "../grade/engine.js";

const [compiled, folder, ...bots] = process.argv.slice(2);
const engineModule = new WebAssembly.Module(readFileSync(compiled));
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".toml"))
  .map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")]);

function take(engine, path) {
  const file = basename(path);
  if (!file.endsWith(".wasm")) return engine.do({ do: "build", file, text: readFileSync(path, "utf8") });
  return engine.do({ do: "module", name: file.slice(0, -5) }, readFileSync(path));
}

function grade(path) {
  const engine = new Engine(engineModule);
  engine.do({ do: "suite", name: basename(folder), files });
  const { refused } = take(engine, path);
  let module = null;
  let size = 0;
  if (!refused) {
    engine.do({ do: "rewrite" });
    const rewritten = engine.taken();
    size = rewritten.length;
    module = new WebAssembly.Module(rewritten);
  }
  const begin = performance.now();
  engine.do({ do: "grade" });
  for (;;) {
    const next = engine.do({ do: "next" });
    if (!next) break;
    const { outline } = playRound(engine, module, next.spec);
    engine.do({ do: "took", job: next.job, outline });
  }
  const wall = Math.round((performance.now() - begin) * 1000);
  const report = engine.do({ do: "report", wall_us: wall, workers: 1 });
  const replay = engine.do({ do: "replay" });
  return { bot: path, report, replay, rewritten_bytes: size, wall_us: wall };
}

process.stdout.write(JSON.stringify(bots.map(grade)));
