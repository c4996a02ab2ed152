// Runs the cases of a list in V8 and prints their runs, as the other engines' hosts do it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const settings = JSON.parse(readFileSync(process.argv[2], "utf8"));
const grace = BigInt(settings.pages * 65536 + (1 << 23));
const least = 4096n;

class Stopped extends Error {}
class OutOfFuel extends Error {}

const most = (one, other) => (one > other ? one : other);

class Host {
  constructor(lines) {
    this.lines = lines;
    this.events = [];
    this.started = false;
  }

  global(name) {
    return this.exports[`judge_meter_${name}`];
  }

  put(fuel) {
    const first = most(fuel, least);
    this.global("fuel").value = first;
    this.global("rest").value = most(fuel + grace - first, 0n);
    this.global("owed").value = 0n;
  }

  left() {
    const all = most(this.global("fuel").value + this.global("rest").value, 0n);
    return most(all - grace - most(this.global("owed").value, 0n), 0n);
  }

  note(what) {
    this.events.push({ what, left: this.started ? String(this.left()) : null });
  }

  call(name, given) {
    this.note(`${name}[${given.join(", ")}]`);
    const of = given.map((value) => (typeof value === "number" ? value >>> 0 : value));
    const view = new DataView(this.exports.memory.buffer);
    try {
      const { result, price } = this.reply(name, of, view);
      if (price > 0) {
        const left = this.left() - BigInt(price);
        if (left < 0n) throw new OutOfFuel();
        this.put(left);
      }
      return result;
    } catch (error) {
      throw error instanceof RangeError ? new Stopped() : error;
    }
  }

  reply(name, of, view) {
    const put = (at, value) => view.setUint32(at, value, true);
    const bytes = (at, count) => new Uint8Array(view.buffer, at, count);
    let price = 100;
    switch (name) {
      case "log":
        bytes(of[0], of[1]);
        price += of[1];
        break;
      case "fd_read": {
        const [start, room] = [view.getUint32(of[1], true), view.getUint32(of[1] + 4, true)];
        const line = this.lines.length > 0 ? `${this.lines.shift()}\n` : "";
        const text = new TextEncoder().encode(line).subarray(0, room);
        bytes(start, text.length).set(text);
        put(of[3], text.length);
        break;
      }
      case "fd_write": {
        let count = 0;
        for (let piece = 0; piece < Math.min(of[2], 64); piece += 1) {
          count += view.getUint32(of[1] + 8 * piece + 4, true);
        }
        put(of[3], count);
        break;
      }
      case "environ_sizes_get":
      case "args_sizes_get":
        put(of[0], 0);
        put(of[1], 0);
        break;
      case "clock_time_get":
        put(of[2], 7);
        put(of[2] + 4, 0);
        break;
      case "random_get":
        bytes(of[0], of[1]).fill(7);
        break;
      case "environ_get":
      case "args_get":
      case "sched_yield":
        break;
      case "proc_exit":
        throw new Stopped();
      default:
        return { result: 52, price };
    }
    return { result: 0, price };
  }

  start(module) {
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      imports[from] ??= {};
      imports[from][name] = (...given) => this.call(name, given);
    }
    this.exports = new WebAssembly.Instance(module, imports).exports;
    this.global("pages").value = BigInt(settings.pages);
  }

  answer(address, length) {
    const count = Math.min(Math.max(length, 0), 256);
    const memory = new Uint8Array(this.exports.memory.buffer);
    if (address + count > memory.length) return "";
    return String.fromCharCode(...memory.subarray(address, address + count));
  }

  play(fuel) {
    this.put(BigInt(settings.start));
    for (const name of ["judge_meter_start", "_initialize"]) {
      if (this.exports[name] instanceof Function) this.exports[name]();
    }
    if (this.exports._start instanceof Function) {
      this.put(fuel);
      this.started = true;
      this.exports._start();
      this.note("end");
      return;
    }
    const address = this.exports.judge_buffer() >>> 0;
    this.put(fuel);
    this.started = true;
    for (const line of this.lines) {
      const text = new TextEncoder().encode(line);
      if (address + text.length > this.exports.memory.buffer.byteLength) throw new Stopped();
      new Uint8Array(this.exports.memory.buffer).set(text, address);
      const length = this.exports.judge_line(text.length);
      this.note(`line ${length} ${this.answer(address, length)}`);
    }
  }
}

function run({ path, fuel, lines }) {
  const host = new Host([...lines]);
  const run = { end: "finished", events: host.events, state: 0, bulk: 0, stack: null, memory: null };
  try {
    host.start(new WebAssembly.Module(readFileSync(path)));
    host.play(BigInt(fuel));
  } catch (error) {
    if (error instanceof OutOfFuel) run.end = "out of fuel";
    else if (error instanceof Stopped) run.end = "stopped";
    else {
      run.end = error instanceof WebAssembly.CompileError ? "refused" : "trap";
      run.message = String(error.message);
    }
  }
  if (host.exports) {
    run.state = host.global("state").value;
    run.bulk = host.global("bulk").value;
    run.stack = host.global("stack").value;
    const memory = new Uint8Array(host.exports.memory.buffer);
    run.memory = createHash("sha256").update(memory).digest("hex");
  }
  return run;
}

process.stdout.write(JSON.stringify(settings.cases.map(run)));
