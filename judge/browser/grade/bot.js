// A bot in this page's engine, with a module that counts by itself (`judge/meter`). Fuel and imports
// follow `judge/sandbox/src`; the words of faults come from the judge's module.
import { Event, Step } from "./engine.js";
import { Failure, RoundOver, Exit, system } from "./system.js";

// As in `judge/meter/src/account.rs`, `judge/core/src/limits.rs` and `judge/guest/src/`.
const STRAIGHT = 1n << 23n;
const LEAST = 4096n;
const START_FUEL = 100_000_000n;
const LOG_CALL_FUEL = 100n;
const TABLE_ELEMENT_BYTES = 8;
const MOST_ANSWER = 4096;
// Bits of the global `judge_meter_state`.
const OUT = 1;
const REFUSED = 4;
// Most functions of a stack in which a name is looked for.
const FRAMES = 20;
Error.stackTraceLimit = 100;

const most = (one, other) => (one > other ? one : other);

export class Bot {
  #engine;
  #module;
  #budget;
  #memoryBytes;
  #grace;
  #exports = null;
  #globals = {};

  // A bot for one round, which has begun with these facts. `module` is its rewritten module.
  constructor(engine, module, { budget, memory_bytes: memoryBytes }) {
    this.#engine = engine;
    this.#module = module;
    this.#budget = BigInt(budget);
    this.#memoryBytes = memoryBytes;
    this.#grace = BigInt(memoryBytes) + STRAIGHT;
  }

  // Plays the round to its end.
  play(isProgram, fixed) {
    const first = this.#engine.next();
    if (first === null) return;
    if (isProgram) this.#playProgram(first, fixed);
    else this.#playCalls(first);
  }

  // Its memory and tables, in bytes; 0 if it could not start.
  get bytes() {
    if (!this.#exports) return 0;
    return this.memory.byteLength + this.#global("tables").value * TABLE_ELEMENT_BYTES;
  }

  get memory() {
    return this.#exports.memory.buffer;
  }

  get left() {
    const all = most(this.#global("fuel").value + this.#global("rest").value, 0n);
    return most(all - this.#grace - most(this.#global("owed").value, 0n), 0n);
  }

  // Charges fuel for work of the host.
  spend(price) {
    const left = this.left - price;
    if (left < 0n) throw new Failure("fuel");
    this.#fill(left);
  }

  // Bytes of the memory. `cause` says who asks.
  view(address, count, cause) {
    if (address + count > this.memory.byteLength) throw new Failure(cause, { outside: [address, count] });
    return new Uint8Array(this.memory, address, count);
  }

  #global(name) {
    return (this.#globals[name] ??= this.#exports[`judge_meter_${name}`]);
  }

  // New fuel in place of the rest.
  put(fuel) {
    this.#global("state").value &= REFUSED;
    this.#fill(fuel);
  }

  #fill(fuel) {
    const first = most(fuel, LEAST);
    this.#global("fuel").value = first;
    this.#global("rest").value = fuel + this.#grace - first;
    this.#global("owed").value = 0n;
  }

  get #isOut() {
    return (this.#global("state").value & OUT) !== 0;
  }

  #start(imports) {
    this.#exports = new WebAssembly.Instance(this.#module, imports).exports;
    this.#global("pages").value = BigInt(Math.floor(this.#memoryBytes / 65536));
    this.put(START_FUEL);
    this.#exports.judge_meter_start?.();
  }

  // Transport A: one call for each line.
  #playCalls(first) {
    const log = (pointer, count) => {
      this.#engine.log(this.view(pointer >>> 0, count >>> 0, "log").slice());
      this.spend(LOG_CALL_FUEL + BigInt(count >>> 0));
    };
    try {
      this.#start({ judge: { log } });
      this.#exports._initialize?.();
      const address = this.#exports.judge_buffer() >>> 0;
      if (this.#isOut) throw new Failure("fuel");
      if (this.#report(Event.started, { code: address, memory: this.memory.byteLength }) !== Step.line) return;
      this.put(this.#budget);
      for (let line = first; line !== null; line = this.#engine.next()) {
        new Uint8Array(this.memory).set(line, address);
        const length = this.#exports.judge_line(line.length);
        const answer = new Uint8Array(this.memory, address, Math.min(Math.max(length, 0), MOST_ANSWER));
        if (this.#report(Event.returned, { code: length }, answer) !== Step.line) return;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  // Transport B: a program that reads and writes. The referee continues inside of its reads.
  #playProgram(first, fixed) {
    const program = system(this, this.#engine, fixed);
    try {
      this.#start({ wasi_snapshot_preview1: program.imports });
      program.begin();
      this.put(START_FUEL);
      program.clock.grant(0n, START_FUEL);
      program.waits = () => this.#exchange(program, first);
      this.#exports._start();
      if (this.#isOut) throw new Failure("fuel");
      this.#report(Event.exited, {}, program.output);
    } catch (error) {
      if (error instanceof Exit) this.#report(Event.exited, { left: error.left, code: error.code }, program.output);
      else this.#fail(error, program.output);
    }
  }

  // The program wants a line.
  #exchange(program, first) {
    const { started } = program;
    const step = this.#report(Event.waits, {}, program.output);
    if (step === Step.over) throw new RoundOver();
    if (step === Step.finish) {
      program.grant(START_FUEL);
      return program.end();
    }
    program.output = new Uint8Array();
    if (!started) program.grant(this.#budget);
    const line = started ? this.#engine.next() : first;
    if (line === null) throw new RoundOver();
    program.give(line);
  }

  #report(event, figures, bytes) {
    const [state, bulk] = [this.#global("state").value, this.#global("bulk").value];
    return this.#engine.event(event, { left: this.left, state, bulk, ...figures }, bytes);
  }

  #fail(error, output = new Uint8Array()) {
    if (error instanceof RoundOver) return;
    const failure = { functions: functions(error), output: [...output], text: String(error.message) };
    if (error instanceof Failure) Object.assign(failure, { cause: error.cause, outside: error.outside });
    else if (!(error instanceof WebAssembly.RuntimeError)) failure.cause = "engine";
    const bytes = new TextEncoder().encode(JSON.stringify(failure));
    if (this.#exports) this.#report(Event.failed, {}, bytes);
    else this.#engine.event(Event.failed, {}, bytes);
  }
}

// Functions of a module on an error's stack, innermost first.
function functions(error) {
  const found = String(error.stack).matchAll(/wasm-function\[(\d+)\]/g);
  return [...found].slice(0, FRAMES).map(([, index]) => Number(index));
}

// Plays a round, given as the judge's text, to its end. `module` is the bot's rewritten module.
export function playRound(engine, module, spec) {
  const facts = engine.do({ do: "begin", spec });
  const bot = new Bot(engine, module, facts);
  bot.play(facts.program, facts.fixed);
  return engine.do({ do: "end", memory_bytes: bot.bytes });
}
