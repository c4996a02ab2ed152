// A worker with the judge's module: answers requests, and plays rounds of a bot and its earlier version.
import { playRound } from "./bot.js";
import { Engine, Refused } from "./engine.js";

let engine = null;
// The compiled modules of the earlier version and of the bot.
const modules = [null, null];

const ended = (result, keep) => (keep ? { ...result, replay: engine.do({ do: "replay" }) } : result);

const acts = {
  // Takes the judge's compiled module.
  engine({ module }) {
    engine = new Engine(module);
  },
  // Executes a request.
  ask({ request, bytes }) {
    return { done: engine.do(request, bytes), bytes: engine.taken() };
  },
  // Rewrites and compiles the bot that the judge has taken.
  compile() {
    engine.do({ do: "rewrite" });
    const rewritten = engine.taken();
    modules[1] = new WebAssembly.Module(rewritten);
    return { module: modules[1], size: rewritten.length };
  },
  // Takes a bot that another worker has compiled. The earlier version comes first.
  bot({ name, bytes, module, version }) {
    engine.do({ do: "module", name }, bytes);
    if (version === 0) engine.do({ do: "earlier" });
    modules[version] = module;
  },
  // Plays a round of one of the versions; with `keep` returns the replay, too.
  play({ spec, version, keep }) {
    return ended(playRound(engine, modules[version], spec), keep);
  },
  // Plays a round between reference opponents.
  references({ spec, keep }) {
    return ended(engine.do({ do: "references", spec }), keep);
  },
};

self.addEventListener("message", ({ data: { id, act, ...given } }) => {
  try {
    self.postMessage({ id, done: acts[act](given) });
  } catch (error) {
    self.postMessage({ id, failed: error.message, refused: error instanceof Refused });
  }
});
