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
  #readiness = null;
  #waiting = new Map();
  #sent = 0;
  #isStopped = false;

  // Executes an act of `grade-worker.js`.
  async act(act, given = {}) {
    await this.ready();
    return this.#send(act, given);
  }

  // Starts the worker with the judge's module, unless it has started.
  ready() {
    return (this.#readiness ??= this.#begin());
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

  async #begin() {
    if (!this.#isStopped) this.#start();
    await this.#send("engine", { module: await compiled });
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

// Gives a player the bots of its rounds: the earlier version, if there is one, and the present one. Each
// has its name, its bytes and its compiled module.
export async function seat(player, bots) {
  for (const [version, bot] of bots.entries()) {
    if (bot) await player.act("bot", { name: bot.name, bytes: bot.bytes, module: bot.module, version });
  }
}

// Plays a round of one of these bots. Without an earlier version, a reference opponent has its seat.
export function playOne(player, bots, { spec, version, keep }) {
  return player.act(bots[version] ? "play" : "references", { spec, version, keep });
}

// Plays all rounds of a grading or a comparison that `judge` has begun. Its workers stay for the next one,
// because starting them takes longer than a short grading.
export class Team {
  #unsure = false;
  #players = [];

  // Starts the workers.
  warm() {
    // A worker that does not start fails again when it has to play.
    for (const player of this.#present()) player.ready().catch(() => {});
  }

  // `work` has the bots, the names of the requests for a round and for its result, and for a
  // comparison that of the look after its rounds, which may plan more. Calls `progress` after each
  // round. In the result, `unsure` is true if the command line may word a failure otherwise.
  async play(judge, work, progress) {
    const begin = performance.now();
    const players = this.#present();
    this.#unsure = false;
    const looks = async () => Boolean(work.look) && (await judge.ask({ do: work.look })).left > 0;
    try {
      await Promise.all(players.map((player) => seat(player, work.bots)));
      do await Promise.all(players.map((player) => this.#work(player, judge, work, progress)));
      while (await looks());
    } catch (error) {
      this.stop();
      throw error;
    }
    const wall_us = Math.round((performance.now() - begin) * 1000);
    return { wall_us, workers: players.length, unsure: this.#unsure };
  }

  stop() {
    for (const player of this.#players) player.stop();
  }

  // The workers, of which those that were stopped are replaced.
  #present() {
    const count = Math.min(Math.max(navigator.hardwareConcurrency || 2, 1), MOST_WORKERS);
    const running = this.#players.filter((player) => !player.isStopped);
    const missing = Array.from({ length: count - running.length }, () => new Player());
    return (this.#players = [...running, ...missing]);
  }

  // Plays rounds until none is left.
  async #work(player, judge, { bots, next, took }, progress) {
    for (;;) {
      const round = await judge.ask({ do: next });
      if (!round) return;
      const { version = 1, spec } = round;
      const { outline, unsure } = await playOne(player, bots, { spec, version });
      this.#unsure ||= unsure;
      progress(await judge.ask({ do: took, job: round.job, outline }));
    }
  }
}
