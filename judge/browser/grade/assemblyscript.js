// Sources in AssemblyScript: a worker compiles them, which loads the compiler for the first one.
import { Refusal } from "./judge.js";
import { Stopped } from "./players.js";
import { t } from "./words.js";

// Most errors of a source that are shown.
const MOST_SHOWN = 5;

// A source that does not compile. `line` is the first one with an error, counted from 1; 0 if it is not
// in the source.
export class Mistake extends Refusal {
  constructor(file, errors) {
    const shown = errors.slice(0, MOST_SHOWN).map((error) => told(error, file));
    const more = errors.length - shown.length;
    if (more > 0) shown.push(t("and {0} more errors", more));
    super([t("`{0}` does not compile:", file), ...shown].join("\n"));
    this.line = errors[0].file === file ? errors[0].line : 0;
  }
}

function told({ file, line, message }, own) {
  if (!line) return message;
  return file === own ? t("line {0}: {1}", line, message) : `${file}:${line}: ${message}`;
}

export class AssemblyScript {
  #worker = null;
  #isLoaded = false;
  // Settles the present compilation.
  #asked = null;

  // Compiles a source. Calls `tell` with the present step.
  async compile(file, text, tell) {
    this.#worker ??= this.#start();
    tell(this.#isLoaded ? t("compiling…") : t("loading the compiler…"));
    try {
      return await new Promise((done, fail) => {
        this.#asked = { file, tell, done, fail };
        this.#worker.postMessage({ file, text });
      });
    } finally {
      this.#asked = null;
    }
  }

  // Ends the compilation, if there is one.
  stop() {
    if (this.#asked) this.#end(new Stopped());
  }

  #start() {
    const worker = new Worker(new URL("compile-worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => this.#take(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#fail(event.message ?? "");
    });
    return worker;
  }

  #take({ files, done, failed }) {
    const { file, tell } = this.#asked;
    if (files) {
      this.#isLoaded = true;
      tell(t("compiling…"));
      keep(files);
    } else if (failed !== undefined) this.#fail(failed);
    else if (done.output) this.#asked.done(done.output);
    else this.#asked.fail(new Mistake(file, done.errors));
  }

  #fail(why) {
    this.#end(new Refusal(t("the compiler failed: {0}", why)));
  }

  // Ends the worker, since a module that did not load is not loaded again.
  #end(error) {
    this.#worker.terminate();
    this.#worker = null;
    this.#isLoaded = false;
    this.#asked?.fail(error);
  }
}

// Keeps the compiler for visits without a network.
async function keep(files) {
  const active = (await navigator.serviceWorker?.ready)?.active;
  active?.postMessage({ keep: files });
}
