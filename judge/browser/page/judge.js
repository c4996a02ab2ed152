// The judge in the page: a worker with the rules, so that an opponent that thinks holds nothing up.
import { t } from "./words.js";

export class Judge {
  #worker = null;
  #waiting = new Map();
  #sent = 0;

  // Asks for something; see `judge/browser/src/request.rs` for what there is. Fails with the
  // judge's reason when it is not done.
  ask(request) {
    this.#worker ??= this.#start();
    const id = ++this.#sent;
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail });
      this.#worker.postMessage({ id, request });
    });
  }

  // Leaves whatever is being thought over. What was asked gets no reply.
  stop() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#waiting.clear();
  }

  #start() {
    const worker = new Worker(new URL("worker.js", import.meta.url));
    worker.addEventListener("message", ({ data: { id, reply, failed } }) => {
      const asked = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (!asked) return;
      if (failed !== undefined) asked.fail(new Failure(t(failed)));
      else if (reply.refused !== undefined) asked.fail(new Refusal(reply.refused));
      else asked.done(reply.done);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      for (const { fail } of this.#waiting.values()) fail(new Failure(t("its worker did not start")));
      this.#waiting.clear();
    });
    return worker;
  }
}

// What the judge does not do, with its reason.
export class Refusal extends Error {}

// The judge does not run, or no more.
export class Failure extends Error {}

// An element with a class and text, which is never read as markup.
export function element(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}
