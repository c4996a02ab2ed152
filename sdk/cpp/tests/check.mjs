// Loads a bot as the judge does and plays with it: checks its imports, its exports, its size and
// its answers. Usage: node check.mjs BOT.wasm [--log TEXT] [--no-imports] [--dies TEXT]
//     [--any-answer] [--talk SOURCE.cpp] [--game NAME]
// It plays Mahjong, or with --talk the lines in the comments of the source. A bot that may give
// --any-answer gets only questions of Mahjong.
import { readFileSync } from "node:fs";

const [path, ...options] = process.argv.slice(2);
// The word after an option; "" when it is the last one, undefined when it is not there.
const option = (name) =>
    options.includes(name) ? (options[options.indexOf(name) + 1] ?? "") : undefined;
const problems = [];
const expect = (right, what) => right || problems.push(what);

const bytes = readFileSync(path);
const module = new WebAssembly.Module(bytes);
const imports = WebAssembly.Module.imports(module).map((i) => `${i.module}.${i.name}`);
const exports = WebAssembly.Module.exports(module).map((e) => `${e.name}:${e.kind}`);

expect(bytes.length < 1 << 20, `module has ${bytes.length} bytes`);
expect(imports.every((name) => name === "judge.log"), `imports ${imports}`);
if (options.includes("--no-imports")) expect(imports.length === 0, `imports ${imports}`);
for (const name of ["memory:memory", "judge_buffer:function", "judge_line:function"])
    expect(exports.includes(name), `does not export ${name}`);

const [section] = WebAssembly.Module.customSections(module, "judge");
const manifest = section ? JSON.parse(new TextDecoder().decode(section)) : {};
const game = options.includes("--talk") ? option("--game") : "mahjong";
expect(manifest.name && manifest.kit, "has no manifest");
expect(manifest.games?.[0] === game, `says that it plays ${manifest.games}`);

// One instance: tell(line) for notices, ask(line) for questions.
function start() {
    let memory;
    const text = (at, length) => String.fromCharCode(...new Uint8Array(memory.buffer, at, length));
    const bot = { log: "" };
    const log = (at, length) => (bot.log += text(at, length));
    const { exports } = new WebAssembly.Instance(module, { judge: { log } });
    memory = exports.memory;
    bot.memory = memory;
    bot.pages = memory.buffer.byteLength / 65536;
    exports._initialize?.();
    const buffer = exports.judge_buffer();
    bot.ask = (line) => {
        const view = new Uint8Array(memory.buffer, buffer, 4096);
        for (let i = 0; i < line.length; i++) view[i] = line.charCodeAt(i);
        const length = exports.judge_line(line.length);
        return length > 4096 ? `${length} bytes` : text(buffer, length);
    };
    bot.tell = (line) => expect(bot.ask(line) === "", `answers the notice "${line}"`);
    return bot;
}

// Declared limits: 2 MiB at most, and not a page more to be had.
function checkMemory(bot) {
    expect(bot.pages <= 32, `starts with ${bot.pages} pages`);
    let refused = false;
    try {
        start().memory.grow(33 - bot.pages);
    } catch {
        refused = true;
    }
    expect(refused, "does not declare a maximum of 32 pages");
}

// A wall from a tiny generator; the bot plays all of it and never gets to win.
function playRound(bot, seed) {
    const wall = Array.from({ length: 108 }, (_, i) => `${(i % 9) + 1}${"bcd"[Math.floor(i / 36)]}`);
    for (let i = 107; i > 0; i--) {
        seed = (seed * 48271) % 2147483647;
        [wall[i], wall[seed % (i + 1)]] = [wall[seed % (i + 1)], wall[i]];
    }
    const hand = [];
    const draw = () => {
        hand.push(wall.pop());
        bot.tell(`draw ${hand.at(-1)}`);
    };
    bot.tell("game mahjong seat 1");
    for (let i = 0; i < 13; i++) draw();
    while (wall.length > 1) {
        if (wall.length % 9 === 0)
            expect(["yes", "no"].includes(bot.ask(`win? ${wall.at(-1)} self`)), "does not answer win?");
        draw();
        const tile = bot.ask("discard?");
        if (!hand.includes(tile)) return expect(false, `throws "${tile}", has ${hand}`);
        hand.splice(hand.indexOf(tile), 1);
        if (wall.length % 7 === 0) bot.ask(`win? ${wall.at(-1)} discard`);
        bot.tell(`opponent ${wall.pop()}`);
    }
    bot.tell("end draw 0 0");
    if (options.includes("--any-answer")) return;
    expect(bot.ask("dance?") === "", "answers a question that it cannot know");
}

// The lines `// hears: LINE` of a source, each with the `// says: ANSWER` that may follow.
function talk(bot, source) {
    const lines = [...source.matchAll(/^\/\/ (hears|says): (.*)$/gm)].map(([, kind, text]) => ({ kind, text }));
    expect(lines.length > 0, "has no conversation");
    lines.forEach(({ kind, text }, i) => {
        if (kind === "says") return;
        const wanted = lines[i + 1]?.kind === "says" ? lines[i + 1].text : "";
        const answer = bot.ask(text);
        expect(answer === wanted, `answers "${answer}" to "${text}"`);
    });
}

const bot = start();
checkMemory(bot);
let died;
try {
    if (options.includes("--talk")) talk(bot, readFileSync(option("--talk"), "utf8"));
    else for (let round = 1; round <= 3; round++) playRound(bot, round);
} catch (error) {
    died = error.message;
}
if (option("--dies") !== undefined) {
    expect(died && bot.log.includes(option("--dies")), `does not die as it should: ${died}, ${bot.log}`);
} else {
    expect(died === undefined, `dies: ${died}; log: ${bot.log.slice(-200)}`);
}
if (option("--log")) expect(bot.log.includes(option("--log")), `log: ${bot.log.slice(0, 200)}`);

const name = path.split("/").at(-1);
const facts = `${bytes.length} bytes, ${bot.pages} pages, imports: ${imports.join() || "none"}`;
console.log(`${problems.length ? "failed" : "ok"} ${name}: ${[facts, ...problems].join("; ")}`);
process.exit(problems.length ? 1 : 0);
