// A worker with the judge's module: answers requests, and plays rounds of one bot.
import { playRound } from "./bot.js";
import { Engine, Refused } from "./engine.js";

let engine = null;
let bot = null;

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
    bot = new WebAssembly.Module(rewritten);
    return { module: bot, size: rewritten.length };
  },
  // Takes a bot that another worker has compiled.
  bot({ name, bytes, module }) {
    engine.do({ do: "module", name }, bytes);
    bot = module;
  },
  // Plays a round; with `keep` returns the replay, too.
  play({ spec, keep }) {
    const ended = playRound(engine, bot, spec);
    return keep ? { ...ended, replay: engine.do({ do: "replay" }) } : ended;
  },
};

self.addEventListener("message", ({ data: { id, act, ...given } }) => {
  try {
    self.postMessage({ id, done: acts[act](given) });
  } catch (error) {
    self.postMessage({ id, failed: error.message, refused: error instanceof Refused });
  }
});
