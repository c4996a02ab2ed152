// The page that grades: chooses a suite and a bot, plays its rounds in workers, and shows the report or
// the comparison with an earlier version.
import { AssemblyScript, Mistake } from "./assemblyscript.js";
import { Comparison, option } from "./compare.js";
import { lineOf, openEditor } from "./editor.js";
import { Refusal } from "./judge.js";
import { Player, Stopped, Team, playOne, seat } from "./players.js";
import { Report } from "./report.js";
import { Table } from "./storage.js";
import { Versions } from "./versions.js";
import { Watch } from "./watch.js";
import { t } from "./words.js";

const at = (id) => document.getElementById(id);
const [main, suite, kind, name, drop, file, chosen, writing, source, testcase, state, trouble, progress] = [
  "main", "suite", "kind", "name", "drop", "file", "chosen", "writing", "source", "testcase", "state",
  "trouble", "progress",
].map(at);
const [grade, run, compare, stop, submit] = ["grade", "run", "compare", "stop", "submit"].map(at);

let judge = new Player();
// On a server: the addresses of the suite's data and of submissions, and a prefix of drafts.
const { site: data, submit: submissions, drafts = "" } = document.body.dataset;
const site = await readSite();
// Sources by suite and language.
const sources = new Table("drafts");
// The suite and the language of the source in the editor. The lists may already show others.
let opened = null;
const editor = await openEditor(source, () => sources.put(place(opened), editor.text));
const versions = new Versions(drafts, (version) => act(() => openVersion(version)));
const watch = new Watch({ ask: (request) => judge.ask(request) });
const report = new Report((number, round) => act(() => again(number, round)));
const comparison = new Comparison((round, file) => act(() => comparedAgain(round, file)));
// The dropped file, as name and bytes.
let dropped = null;
// The bot that was graded last: name, bytes and compiled module.
let graded = null;
// The bots that were compared last: the earlier version, if there was one, and the present one.
let compared = null;
// The reference opponents of the suite.
let opponents = [];
const team = new Team();
const compiler = new AssemblyScript();
// What was chosen while the page was busy, to be done next.
let next = null;

function tell(text) {
  state.textContent = text;
}

// The suites and templates. Without them the page can do nothing.
async function readSite() {
  try {
    const response = await fetch(data ?? new URL("site.json", import.meta.url));
    if (!response.ok) throw new Refusal(t("the server says {0}", response.status));
    return await response.json();
  } catch (error) {
    complain(error);
    main.setAttribute("aria-busy", "false");
    throw error;
  }
}

// The place of a source among the drafts.
function place({ suite: of, kind: ending }) {
  return `${drafts}${of}/${ending}`;
}

// What the lists show.
function wished() {
  return { suite: suite.value, kind: kind.value };
}

// The game of the chosen suite.
function game() {
  return site.suites.find((one) => one.name === suite.value).game;
}

function template() {
  return site.templates[game()]?.[kind.value] ?? "";
}

function readSuite() {
  const { name: known, files } = site.suites.find((one) => one.name === suite.value);
  return judge.ask({ do: "suite", name: known, files });
}

async function chooseSuite() {
  // Its rounds are of the suite before.
  report.hide();
  comparison.hide();
  const known = await readSuite();
  opponents = known.opponents;
  await showVersions();
  testcase.replaceChildren(...known.testcases.map((one, number) => option(String(number), one.title)));
  await chooseKind();
}

async function showVersions() {
  comparison.offer(await versions.show(suite.value), opponents);
}

async function chooseKind() {
  const isModule = kind.value === "wasm";
  drop.hidden = !isModule;
  chosen.hidden = !isModule || !dropped;
  writing.hidden = isModule;
  at("naming").hidden = isModule;
  if (isModule) return;
  const wish = wished();
  const text = (await sources.get(place(wish))) ?? template();
  opened = wish;
  editor.open(text, wish.kind, game());
}

// Gives the judge the bot, and compiles it.
async function take() {
  tell(t("checking the bot…"));
  editor.mark(0, "");
  if (kind.value !== "wasm") return buildWritten();
  if (!dropped) throw new Refusal(t("choose a module first"));
  const { done } = await judge.act("ask", { request: { do: "module", name: dropped.name }, bytes: dropped.bytes });
  return compile(done, dropped.bytes);
}

// Builds the source in the editor, and marks its first error.
async function buildWritten() {
  try {
    return await build(written());
  } catch (error) {
    if (error instanceof Mistake) editor.mark(error.line, error.message);
    throw error;
  }
}

// Builds a source and compiles it.
async function build({ name: stem, kind: ending, text }) {
  const file = `${stem}.${ending}`;
  const isCompiled = ending === "ts";
  if (isCompiled && !site.assemblyscript) throw new Refusal(noCompiler(file));
  const module = isCompiled ? await compiler.compile(file, text, tell) : undefined;
  const request = { do: isCompiled ? "compiled" : "build", file, text };
  const { done, bytes } = await judge.act("ask", { request, bytes: module });
  return compile(done, bytes);
}

function noCompiler(file) {
  return t("this page has no compiler for AssemblyScript: run `judge build {0}`, and choose the module", file);
}

// Builds an earlier version. Its errors are not those of the source in the editor.
async function buildEarlier(version) {
  try {
    return await build(version);
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(t("the earlier version does not build: {0}", error.message));
    throw error;
  }
}

// The bot that the judge has taken, compiled unless it is refused.
async function compile({ name: known, sha256, refused }, bytes) {
  const module = refused ? null : (await judge.act("compile")).module;
  return { name: known, sha256, refused, bytes, module };
}

async function gradeBot() {
  const version = kind.value === "wasm" ? null : written();
  graded = await take();
  // From here on the judge knows the new rounds only.
  report.hide();
  const begun = await judge.ask({ do: "grade" });
  const show = ({ played, rounds }) => advance(played, rounds, t("{0} of {1} rounds", played, rounds));
  show(begun);
  const work = { bots: [null, graded], next: "next", took: "took" };
  // A refused bot has no rounds.
  const none = { wall_us: 0, workers: 0, unsure: false };
  const { unsure, ...timing } = begun.rounds ? await team.play(judge, work, show) : none;
  const result = report.show(await judge.ask({ do: "report", ...timing }), graded, unsure);
  if (version) await keepVersion(version, result);
  submit.hidden = !submissions || Boolean(graded.refused);
  tell(t("graded in {0} s", (timing.wall_us / 1e6).toFixed(1)));
}

function advance(played, rounds, text) {
  progress.hidden = false;
  progress.max = Math.max(rounds, 1);
  progress.value = played;
  tell(text);
}

// Compares the bot with an earlier version, or with a reference opponent in its seat.
async function compareBots() {
  const present = kind.value === "wasm" ? null : written();
  const { version, opponent } = comparison.chosen(present);
  const bots = await takeBoth(version);
  // From here on the judge knows the new rounds only.
  comparison.hide();
  compared = bots;
  const show = ({ played, rounds }) => advance(played, rounds, t("{0} of at most {1} rounds", played, rounds));
  show(await judge.ask({ do: "compare", opponent, rounds: comparison.rounds }));
  const work = { bots, next: "next-compared", took: "took-compared", look: "look" };
  const { wall_us: time } = await team.play(judge, work, show);
  comparison.show(await judge.ask({ do: "figures" }), opponent);
  if (present) await keepVersion(present);
  tell(t("compared in {0} s", (time / 1e6).toFixed(1)));
}

// Gives the judge an earlier version, if there is one, and the bot.
async function takeBoth(version) {
  let earlier = null;
  if (version) {
    earlier = await buildEarlier(version);
    if (earlier.refused) throw new Refusal(t("the earlier version is refused: {0}", earlier.refused));
    await judge.ask({ do: "earlier" });
  }
  const bot = await take();
  if (bot.refused) throw new Refusal(bot.refused);
  if (earlier?.sha256 === bot.sha256) throw new Refusal(t("both versions are the same module"));
  return [earlier, bot];
}

// What is in the editor, to be kept as a version.
function written() {
  return { ...opened, name: name.value, text: editor.text };
}

// Keeps a version with its result, or without one before the editor gets another source.
async function keepVersion(version, { points, digest } = { points: null, digest: null }) {
  if (points === null && version.text === template()) return;
  await versions.keep({ ...version, time: Date.now(), points, digest });
  await showVersions();
}

// Opens a version in the editor, and keeps what was there.
async function openVersion(version) {
  if (version.kind === "ts" && !site.assemblyscript) throw new Refusal(noCompiler(`${version.name}.ts`));
  await keepVersion(written());
  [kind.value, name.value] = [version.kind, version.name];
  await sources.put(place(wished()), version.text);
  await chooseKind();
  tell(t("this version is in the editor"));
}

// Sends the graded module to the course, and opens the page of the submission.
async function submitBot() {
  tell(t("sending the module…"));
  // What is sent cannot be taken back.
  stop.hidden = true;
  const form = new FormData();
  form.append("module", new Blob([graded.bytes], { type: "application/wasm" }), `${graded.name}.wasm`);
  const response = await fetch(submissions, { method: "POST", body: form });
  if (response.ok && response.redirected) return location.assign(response.url);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const why = (page.querySelector(".trouble") ?? page.querySelector("h1"))?.textContent.trim();
  throw new Refusal(why || t("the server says {0}", response.status));
}

async function runRound() {
  const bot = await take();
  if (bot.refused) throw new Refusal(bot.refused);
  await play([null, bot], Number(testcase.value), 0, false);
}

// Plays a round of the last grading again, with the bot and the fuel that it had.
async function again(number, round) {
  await seat(judge, [null, graded]);
  await play([null, graded], number, round, true);
}

// Plays a round of the last comparison again. `round` has the indexes of its seed, conditions and version.
async function comparedAgain(round, file) {
  await seat(judge, compared);
  const spec = await judge.ask({ do: "single-compared", place: round });
  await watchRound(compared, { spec, version: round.at(-1) }, `${file}.jsonl`);
}

async function play(bots, number, round, wasGraded) {
  const spec = await judge.ask({ do: "single", testcase: number, round, graded: wasGraded });
  await watchRound(bots, { spec, version: 1 }, `${testcase.options[number].text}-${round + 1}.jsonl`);
}

// Plays a round and shows its replay.
async function watchRound(bots, { spec, version }, file) {
  tell(t("playing the round…"));
  const { replay, unsure, fault } = await playOne(judge, bots, { spec, version, keep: true });
  const isOwn = version === 1 && kind.value !== "wasm";
  if (fault && isOwn) markFault(fault, replay);
  await watch.open(replay, file);
  tell(unsure ? t("`judge grade` may word this failure otherwise, and have another digest") : "");
}

// Marks the line of a failure: the failure names it, or the last line of the replay, which has the log.
function markFault(fault, replay) {
  const own = `${name.value}.${kind.value}`;
  editor.mark(lineOf(fault, own) || lineOf(replay.trimEnd().split("\n").at(-1), own), fault);
}

// Does one thing at a time; the page stays usable, and *Stop* ends it.
async function act(work) {
  if (main.getAttribute("aria-busy") === "true") return;
  busy(true);
  trouble.hidden = true;
  trouble.textContent = "";
  let isBroken = false;
  try {
    await work();
  } catch (error) {
    tell("");
    if (!(error instanceof Stopped)) complain(error);
    isBroken = !(error instanceof Refusal);
  }
  if (isBroken || judge.isStopped) await restart();
  progress.hidden = true;
  busy(false);
  const chosenNext = next;
  next = null;
  if (chosenNext) await act(chosenNext);
}

// Shows what the lists say, once nothing else is done. A suite brings its language, too.
function choose(work) {
  if (main.getAttribute("aria-busy") !== "true") return act(work);
  if (next !== chooseSuite) next = work;
}

function complain(error) {
  trouble.textContent = error instanceof Refusal ? error.message : t("the judge failed: {0}", error.message);
  trouble.hidden = false;
}

function busy(is) {
  main.setAttribute("aria-busy", String(is));
  for (const button of [grade, run, compare, submit]) button.disabled = is;
  stop.hidden = !is;
}

// Ends all workers.
function halt() {
  team.stop();
  compiler.stop();
  judge.stop();
}

// Begins again after the workers were ended or the judge failed; it has forgotten all rounds.
async function restart() {
  halt();
  judge = new Player();
  report.hide();
  comparison.hide();
  watch.hide();
  try {
    await readSuite();
    if (trouble.hidden) tell(t("stopped"));
  } catch (error) {
    complain(error);
  }
}

async function takeFile(given) {
  const [, stem, ending] = /^(.*?)\.([^.]*)$/.exec(given.name) ?? [null, given.name, ""];
  const known = { js: "js", mjs: "js", py: "py", wat: "wat", ts: "ts" }[ending];
  if (known === "ts" && !site.assemblyscript) throw new Refusal(noCompiler(given.name));
  if (known) {
    const before = { suite: suite.value, kind: known, name: name.value };
    kind.value = known;
    name.value = stem;
    const text = await sources.get(place(before));
    if (text) await keepVersion({ ...before, text });
    await sources.put(place(before), await given.text());
  } else {
    kind.value = "wasm";
    dropped = { name: stem, bytes: new Uint8Array(await given.arrayBuffer()) };
    chosen.textContent = given.name;
  }
  await chooseKind();
}

if (site.assemblyscript) kind.querySelector("[value=wat]").before(option("ts", "AssemblyScript"));
suite.replaceChildren(...site.suites.map(({ name: value, title }) => option(value, title)));
const wanted = new URLSearchParams(location.search).get("suite");
if (site.suites.some((one) => one.name === wanted)) suite.value = wanted;
suite.addEventListener("change", () => choose(chooseSuite));
kind.addEventListener("change", () => choose(chooseKind));
file.addEventListener("change", () => {
  const [given] = file.files;
  // So that the same file can be chosen again.
  file.value = "";
  if (given) act(() => takeFile(given));
});
at("import").addEventListener("change", ({ target }) => {
  const [given] = target.files;
  target.value = "";
  if (given) act(async () => {
    await versions.import(await given.text());
    await showVersions();
  });
});
at("template").addEventListener("click", () => act(async () => {
  await keepVersion(written());
  await sources.delete(place(opened));
  await chooseKind();
}));
at("save-source").addEventListener("click", ({ target }) => {
  target.href = URL.createObjectURL(new Blob([editor.text], { type: "text/plain" }));
  target.download = `${name.value}.${kind.value}`;
});
grade.addEventListener("click", () => act(gradeBot));
run.addEventListener("click", () => act(runRound));
compare.addEventListener("click", () => act(compareBots));
stop.addEventListener("click", halt);
submit.addEventListener("click", () => act(submitBot));
for (const event of ["dragenter", "dragover"]) {
  document.addEventListener(event, (given) => {
    given.preventDefault();
    drop.classList.add("over");
  });
}
document.addEventListener("drop", (given) => {
  given.preventDefault();
  drop.classList.remove("over");
  const [first] = given.dataTransfer.files;
  if (first) act(() => takeFile(first));
});
if (submissions) at("sent").textContent = t("is sent to the course only when you submit it");
busy(false);
await act(chooseSuite);
team.warm();
// For visits without a network. A browser that refuses it loses nothing else.
if (!data) navigator.serviceWorker?.register(new URL("./offline.js", import.meta.url)).catch(() => {});
