// The judge's module for grading: requests as JSON with bytes beside them, and a round line by line.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// Events of a bot, and what the judge says to do next; see `judge/browser/src/exports.rs`.
export const Event = { started: 0, returned: 1, waits: 2, exited: 3, failed: 4 };
export const Step = { over: 0, line: 1, finish: 2 };

export class Engine {
  #judge;

  // `module` is the compiled `judge-grade.wasm`.
  constructor(module) {
    this.#judge = new WebAssembly.Instance(module, {}).exports;
  }

  // Executes a request; see `judge/browser/src/grade/request.rs`. The result has `done`, or
  // `refused` with the reason.
  ask(request, bytes = new Uint8Array()) {
    this.#give(bytes);
    const text = encoder.encode(JSON.stringify(request));
    this.#bytes(this.#judge.judge_request(text.length), text.length).set(text);
    const length = this.#judge.judge_grade();
    return JSON.parse(decoder.decode(this.#bytes(this.#judge.judge_reply(), length)));
  }

  // The result of a request.
  do(request, bytes) {
    const { done, refused } = this.ask(request, bytes);
    if (refused !== undefined) throw new Refused(refused);
    return done;
  }

  // A copy of the bytes that came with the last reply.
  taken() {
    const { judge_bytes_at: at, judge_bytes_length: length } = this.#judge;
    return this.#bytes(at(), length()).slice();
  }

  // The next line to the bot, as bytes; null if the round is over.
  next() {
    const length = this.#judge.round_next();
    return length === 0 ? null : this.#bytes(this.#judge.judge_reply(), length).slice();
  }

  // Reports an event, and returns the next step.
  event(event, { left = 0n, code = 0, state = 0, bulk = 0, memory = 0 }, bytes = new Uint8Array()) {
    this.#give(bytes);
    return this.#judge.round_event(event, left, code, state, bulk, memory);
  }

  log(bytes) {
    this.#give(bytes);
    this.#judge.round_log();
  }

  random(count) {
    this.#judge.round_random(count);
    return this.taken();
  }

  #give(bytes) {
    this.#bytes(this.#judge.judge_bytes(bytes.length), bytes.length).set(bytes);
  }

  // A view that holds until the module's memory grows.
  #bytes(address, length) {
    return new Uint8Array(this.#judge.memory.buffer, address >>> 0, length >>> 0);
  }
}

// A request that the judge does not execute, with its reason.
export class Refused extends Error {}
