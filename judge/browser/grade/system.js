// The system of a program: WASI preview 1 as in `judge/sandbox/src/stdio/wasi`, without files,
// network or time.

const CALL_FUEL = 100n;
const ELEMENT_FUEL = 20n;
const MOST_ELEMENTS = 1024;
const MOST_OUTPUT = 4097;
const CLOCKS = 4;
const LATEST = 1n << 62n;
const MOST_TIME = (1n << 64n) - 1n;
const [SUBSCRIPTION, EVENT] = [48, 32];
const CHARACTER_DEVICE = 2;
const RIGHTS = (1n << 1n) | (1n << 6n) | (1n << 21n) | (1n << 27n);
const [STDIN, STDOUT, STDERR] = [0, 1, 2];
const [SUCCESS, BADF, INVAL, SPIPE] = [0, 8, 28, 70];
const TOP = 0xffffffff;

// A call of the bot that failed, by its cause; see `judge/browser/src/grade/ending.rs`.
export class Failure extends Error {
  constructor(cause, { outside = [0, 0] } = {}) {
    super(cause);
    this.cause = cause;
    this.outside = outside;
  }
}

// The program ends itself.
export class Exit extends Error {
  constructor(code, left) {
    super("exit");
    Object.assign(this, { code, left });
  }
}

// The round is over, so the program is left.
export class RoundOver extends Error {}

const least = (one, other) => (one < other ? one : other);

// The virtual clock: fuel spent since the start, over all grants, and the time slept.
class Clock {
  #granted = 0n;
  #before = 0n;

  grant(left, granted) {
    this.#before = this.now(left);
    this.#granted = granted;
  }

  now(left) {
    const spent = this.#granted > left ? this.#granted - left : 0n;
    return least(this.#before + spent, MOST_TIME);
  }

  sleepUntil(time, left) {
    const missing = least(time, LATEST) - this.now(left);
    if (missing > 0n) this.#before += missing;
  }
}

function joined(one, other) {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

class Program {
  clock = new Clock();
  output = new Uint8Array();
  input = new Uint8Array();
  started = false;
  // Called when there is no input.
  waits = null;
  #bot;
  #hasMemory = false;
  #ended = false;

  constructor(bot) {
    this.#bot = bot;
    this.open = [true, true, true];
  }

  // From now on the program may use the system.
  begin() {
    this.#hasMemory = true;
  }

  grant(fuel) {
    this.clock.grant(this.#bot.left, fuel);
    this.#bot.put(fuel);
    this.started = true;
  }

  give(line) {
    this.input = joined(this.input, joined(line, Uint8Array.of(10)));
  }

  end() {
    this.#ended = true;
  }

  // Charges a call, and refuses it in a start function.
  enter() {
    this.#bot.spend(CALL_FUEL);
    if (!this.#hasMemory) throw new Failure("system-in-start");
  }

  wait() {
    if (this.input.length === 0 && !this.#ended) this.waits();
  }

  print(text) {
    const room = MOST_OUTPUT - this.output.length;
    this.output = joined(this.output, text.subarray(0, room));
    if (text.length > room) throw new Failure("flood");
  }
}

// A program's system. `fixed` has the functions that always answer the same.
export function system(bot, engine, fixed) {
  const program = new Program(bot);
  const bytes = (address, count) => bot.view(address, count, "system");
  const view = (address, count) => {
    bytes(address, count);
    return new DataView(bot.memory, address, count);
  };
  const put = (address, value) => view(address, 4).setUint32(0, value, true);
  const putLong = (address, value) => view(address, 8).setBigUint64(0, value, true);
  const isOpen = (descriptor) => program.open[descriptor] === true;
  // Element `index` of a list of buffers.
  const piece = (list, index) => {
    const at = Math.min(list + 8 * index, TOP);
    const address = view(at, 4).getUint32(0, true);
    const length = view(Math.min(at + 4, TOP), 4).getUint32(0, true);
    bytes(address, length);
    return [address, length];
  };
  const total = (list, count) => {
    let sum = 0;
    for (let index = 0; index < count; index += 1) sum += piece(list, index)[1];
    return sum;
  };
  const served = {
    args_get: () => SUCCESS,
    environ_get: () => SUCCESS,
    args_sizes_get: (count, size) => (put(count, 0), put(size, 0), SUCCESS),
    environ_sizes_get: (count, size) => (put(count, 0), put(size, 0), SUCCESS),
    clock_res_get(clock, out) {
      if (clock >= CLOCKS) return INVAL;
      putLong(out, 1n);
      return SUCCESS;
    },
    clock_time_get(clock, _precision, out) {
      if (clock >= CLOCKS) return INVAL;
      putLong(out, program.clock.now(bot.left));
      return SUCCESS;
    },
    poll_oneoff: (asked, events, count, out) => poll(asked, events, count, out),
    sched_yield: () => SUCCESS,
    random_get(address, count) {
      bytes(address, count);
      bot.spend(BigInt(count));
      bytes(address, count).set(engine.random(count));
      return SUCCESS;
    },
    proc_exit(code) {
      throw new Exit(code, bot.left);
    },
    fd_close(descriptor) {
      if (!isOpen(descriptor)) return BADF;
      program.open[descriptor] = false;
      return SUCCESS;
    },
    fd_seek: (descriptor) => (isOpen(descriptor) ? SPIPE : BADF),
    fd_tell: (descriptor) => (isOpen(descriptor) ? SPIPE : BADF),
    fd_fdstat_get(descriptor, out) {
      if (!isOpen(descriptor)) return BADF;
      bytes(out, 24).fill(0)[0] = CHARACTER_DEVICE;
      putLong(out + 8, RIGHTS);
      return SUCCESS;
    },
    fd_filestat_get(descriptor, out) {
      if (!isOpen(descriptor)) return BADF;
      bytes(out, 64).fill(0)[16] = CHARACTER_DEVICE;
      return SUCCESS;
    },
    fd_read(descriptor, list, count, out) {
      if (descriptor !== STDIN || !isOpen(STDIN)) return BADF;
      if (count > MOST_ELEMENTS) return INVAL;
      bot.spend(ELEMENT_FUEL * BigInt(count));
      if (total(list, count) === 0) {
        put(out, 0);
        return SUCCESS;
      }
      program.wait();
      let moved = 0;
      for (let index = 0; index < count; index += 1) {
        const [address, length] = piece(list, index);
        const part = program.input.subarray(0, length);
        bytes(address, part.length).set(part);
        program.input = program.input.subarray(part.length);
        moved += part.length;
      }
      bot.spend(BigInt(moved));
      put(out, moved);
      return SUCCESS;
    },
    fd_write(descriptor, list, count, out) {
      if ((descriptor !== STDOUT && descriptor !== STDERR) || !isOpen(descriptor)) return BADF;
      if (count > MOST_ELEMENTS) return INVAL;
      bot.spend(ELEMENT_FUEL * BigInt(count));
      const sum = total(list, count);
      bot.spend(BigInt(sum));
      if (sum > TOP) return INVAL;
      for (let index = 0; index < count; index += 1) {
        const text = bytes(...piece(list, index));
        if (descriptor === STDOUT) program.print(text);
        else engine.log(text);
      }
      put(out, sum);
      return SUCCESS;
    },
  };
  // Every event is ready at once. A poll of clocks is a sleep, which takes no fuel.
  function poll(asked, events, count, out) {
    if (count < 1 || count > MOST_ELEMENTS) return INVAL;
    bot.spend(ELEMENT_FUEL * BigInt(count));
    const left = bot.left;
    const now = program.clock.now(left);
    let wakes = now;
    for (let index = 0; index < count; index += 1) {
      const given = view(Math.min(asked + index * SUBSCRIPTION, TOP), SUBSCRIPTION);
      const time = alarm(given, now);
      wakes = wakes === null || time === null ? null : wakes > time ? wakes : time;
      const event = new Uint8Array(EVENT);
      event.set(new Uint8Array(given.buffer, given.byteOffset, 8));
      event[10] = given.getUint8(8);
      bytes(Math.min(events + index * EVENT, TOP), EVENT).set(event);
    }
    put(out, count);
    if (wakes !== null) program.clock.sleepUntil(wakes, left);
    return SUCCESS;
  }
  // The awaited time of a subscription; null if it is not for a clock.
  function alarm(given, now) {
    if (given.getUint8(8) !== 0) return null;
    // An unknown clock is ready at once.
    if (given.getUint32(16, true) >= CLOCKS) return now;
    const time = given.getBigUint64(24, true);
    return given.getUint8(40) & 1 ? time : least(now + time, MOST_TIME);
  }
  const enter = (serve) => (...given) => {
    program.enter();
    return serve(...given.map((value) => (typeof value === "number" ? value >>> 0 : value)));
  };
  program.imports = {};
  for (const [name, code] of Object.entries(fixed)) program.imports[name] = enter(() => code);
  for (const [name, serve] of Object.entries(served)) program.imports[name] = enter(serve);
  return program;
}
