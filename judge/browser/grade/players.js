// The workers of the page: one that answers, and one for each processor while rounds are played.
import { Failure, Refusal } from "./judge.js";
import { t } from "./words.js";

const compiled = (async () => {
  const response = await fetch(new URL("judge-grade.wasm", import.meta.url));
  if (!response.ok) throw new Failure(t("the judge's module was not found"));
  return WebAssembly.compile(await response.arrayBuffer());
})();

// More workers than these need more memory than they save time.
const MOST_WORKERS = 8;

export class Player {
  #worker = null;
  #waiting = new Map();
  #sent = 0;
  #isStopped = false;

  // Executes an act of `grade-worker.js`.
  async act(act, given = {}) {
    if (!this.#worker && !this.#isStopped) {
      this.#start();
      await this.#send("engine", { module: await compiled });
    }
    return this.#send(act, given);
  }

  async ask(request, bytes) {
    return (await this.act("ask", { request, bytes })).done;
  }

  get isStopped() {
    return this.#isStopped;
  }

  // Leaves whatever is being played, for good.
  stop() {
    this.#isStopped = true;
    this.#worker?.terminate();
    for (const { fail } of this.#waiting.values()) fail(new Stopped());
    this.#waiting.clear();
  }

  #start() {
    this.#worker = new Worker(new URL("grade-worker.js", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data: { id, done, failed, refused } }) => {
      const asked = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (!asked) return;
      if (failed === undefined) asked.done(done);
      else asked.fail(refused ? new Refusal(failed) : new Failure(failed));
    });
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      for (const { fail } of this.#waiting.values()) fail(new Failure(t("its worker did not start")));
      this.#waiting.clear();
    });
  }

  #send(act, given) {
    if (this.#isStopped) return Promise.reject(new Stopped());
    const id = ++this.#sent;
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail });
      this.#worker.postMessage({ id, act, ...given });
    });
  }
}

// The player was stopped.
export class Stopped extends Error {}

// Plays all rounds of a grading that `judge` has begun. `bot` has the name, the bytes and the compiled
// module. Calls `progress` after each round.
export class Team {
  // True once the judge may have worded a failure otherwise than the command line does.
  unsure = false;
  #players = [];

  async play(judge, bot, progress) {
    const count = Math.min(Math.max(navigator.hardwareConcurrency || 2, 1), MOST_WORKERS);
    this.#players = Array.from({ length: count }, () => new Player());
    const begin = performance.now();
    const players = this.#players;
    try {
      await Promise.all(players.map((player) => this.#work(player, judge, bot, progress)));
    } finally {
      for (const player of players) player.stop();
    }
    return { wall_us: Math.round((performance.now() - begin) * 1000), workers: count };
  }

  stop() {
    for (const player of this.#players) player.stop();
  }

  // Plays rounds until none is left.
  async #work(player, judge, { name, bytes, module }, progress) {
    await player.act("bot", { name, bytes, module });
    for (;;) {
      const next = await judge.ask({ do: "next" });
      if (!next) return;
      const { outline, unsure } = await player.act("play", { spec: next.spec });
      this.unsure ||= unsure;
      progress(await judge.ask({ do: "took", job: next.job, outline }));
    }
  }
}
