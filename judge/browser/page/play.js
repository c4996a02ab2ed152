// A round of a person, played by clicking: parts of an answer are chosen at the board or by their
// words, and the rules say after each which may follow. Two people can share the page.
import { Board } from "./board.js";
import { Judge, Refusal, element } from "./judge.js";
import { Remote } from "./remote.js";
import { HUMAN, Setup } from "./setup.js";
import { t } from "./words.js";

const [trouble, asked, parts, again, undo, redo, resign, refusal, log, score, typed, answer, legal, count] =
  ["trouble", "asked", "parts", "again", "undo", "redo", "resign", "refusal", "log", "score", "typed",
    "answer", "legal", "count"].map((id) => document.getElementById(id));
const curtain = document.getElementById("curtain");
const main = document.querySelector("main");
const ending = document.querySelector(".end");
const heading = document.querySelector("h1");
const results = { win: t("You have won."), loss: t("You have lost."), draw: t("A draw.") };
// A bot that was handed in to the server plays there; everything else is in the page.
const there = ["submission", "bot"].flatMap((kind) => {
  const id = new URLSearchParams(location.search).get(kind) ?? "";
  return /^[a-z2-7]{16}$/.test(id) ? [{ kind, id, address: `/${kind}s/${id}` }] : [];
})[0] ?? null;
const judge = there ? new Remote(`${there.address}/play`) : new Judge();
const board = new Board(choose);

// The round as the judge shows it, the parts chosen so far with the shape that one of them stands
// for, and what may follow them.
let round = null;
let chosen = [];
let shape = null;
let following = { next: [], answer: null };
let busy = false;
let saved = null;
let setup = null;
// Of two people, the seat of the one who looks at the page.
let looking = null;
// Number of answers that were taken back and can be given again.
let undone = 0;

function opponent() {
  return round.players[round.seat === 1 ? 1 : 0];
}

// A seat and the name of its player.
function who(seat) {
  return `${t("seat {0}", seat)} (${round.players[seat - 1]})`;
}

// Does one thing at a time: what is clicked on meanwhile is not taken.
async function exclusively(work) {
  if (busy) return;
  busy = true;
  main.setAttribute("aria-busy", "true");
  const had = main.contains(document.activeElement) && document.activeElement !== answer;
  refusal.hidden = true;
  try {
    await work();
  } catch (error) {
    refuse(error);
  }
  busy = false;
  draw();
  main.setAttribute("aria-busy", "false");
  if (had && !main.contains(document.activeElement)) board.focus();
}

// Has the judge do something with the round. The page stays alive meanwhile and says `words`.
async function tell(request, words) {
  asked.textContent = words;
  board.show([], chosen, round?.question?.targets ?? []);
  for (const button of main.querySelectorAll(".controls button, #parts button")) button.disabled = true;
  show(await judge.ask(request));
  await advance();
}

function refuse(error) {
  if (error instanceof Refusal) {
    // Without a round there is nothing beside the form.
    const place = round ? refusal : trouble;
    place.textContent = error.message;
    place.hidden = false;
    return;
  }
  judge.stop();
  fail(error);
}

function fail(error) {
  const what = there ? t("The server cannot play: {0}.", error.message) : t("The judge cannot run here: {0}.", error.message);
  trouble.textContent = `${what} ${t("Reload the page to begin again.")}`;
  trouble.hidden = false;
}

function show(shown) {
  round = shown;
  chosen = [];
  shape = null;
  following = shown.question?.choices ?? { next: [], answer: null };
  main.removeAttribute("data-empty");
  cover();
  board.picture(shown.picture);
  drawScore();
  drawLog();
  drawLegal();
  drawEnd();
}

// Hides what the next one of two people knows until only that one looks.
function cover() {
  const { between_people: both, hides, question, seat } = round;
  const covered = both && hides && question !== null && seat !== looking;
  looking = both ? seat : null;
  main.toggleAttribute("data-covered", covered);
  curtain.hidden = !covered;
  if (!covered) return;
  const [next, other] = [seat, 3 - seat].map(who);
  document.getElementById("next").textContent = t("It is {0}'s turn: hide the screen from {1}.", next, other);
  document.getElementById("uncover").focus();
}

function uncover() {
  main.removeAttribute("data-covered");
  curtain.hidden = true;
  board.focus();
}

// Takes a part; when it completes the answer and nothing can follow, the answer is given.
function choose(part) {
  return exclusively(async () => {
    if (!round?.question) return;
    const stays = part === chosen.at(-1) && following.answer;
    if (!stays || following.next.some((next) => next.part === part)) await take(part);
    else following.next = [];
    if (following.answer && following.next.length === 0) await give(following.answer);
    else await advance();
  });
}

async function take(part) {
  keepPart(part, await judge.ask({ do: "choices", chosen: [...chosen, part] }));
}

function keepPart(part, after) {
  shape = following.next.find((next) => next.part === part)?.shape ?? shape;
  chosen = [...chosen, part];
  following = after;
}

// What cannot be chosen otherwise is chosen already, unless that would be the whole answer.
async function advance() {
  while (round?.question && following.next.length === 1 && !following.answer) {
    const [{ part }] = following.next;
    const after = await judge.ask({ do: "choices", chosen: [...chosen, part] });
    if (after.next.length === 0) return;
    keepPart(part, after);
  }
}

async function give(text) {
  const words = round.between_people ? t("One moment…") : t("{0} is thinking…", opponent());
  await tell({ do: "answer", text }, words);
  undone = 0;
}

// Takes an answer back (`undo`), or gives one again (`redo`).
function step(request, by) {
  return exclusively(async () => {
    await tell({ do: request }, t("One moment…"));
    undone += by;
  });
}

function chooseAgain() {
  return exclusively(async () => {
    chosen = [];
    shape = null;
    following = round?.question?.choices ?? { next: [], answer: null };
    await advance();
  });
}

function draw() {
  const question = round?.question;
  asked.textContent = question ? sentence(question.words) : ended();
  if (question && round.between_people) asked.textContent = sentence(`${who(round.seat)}: ${question.words}`);
  if (question && chosen.length > 0) asked.textContent += ` ${t("Chosen: {0}", chosen.join(", "))}`;
  const last = following.answer ? chosen.at(-1) : null;
  board.show(following.next, chosen, question?.targets ?? [], { last, shape });
  const placed = new Set((question?.targets ?? []).map((target) => target.part));
  const unplaced = following.next.filter((next) => !placed.has(next.part));
  parts.replaceChildren(...unplaced.map(partButton));
  if (following.answer) {
    const play = element("button", "play", t("Play {0}", following.answer));
    play.type = "button";
    play.addEventListener("click", () => exclusively(() => give(following.answer)));
    parts.append(play);
  }
  again.disabled = chosen.length === 0;
  undo.disabled = !question || round.answered === 0;
  redo.disabled = !question || undone === 0;
  resign.disabled = !question;
}

function ended() {
  return round?.end ? `${t("The round is over.")} ${result()}` : "";
}

// The result for the person, or for both people.
function result() {
  const { result: own, winner } = round.end;
  if (!round.between_people || winner === null) return results[own];
  return sentence(t("{0} has won.", who(winner)));
}

function sentence(words) {
  const end = /[.?!]$/.test(words) ? "" : ".";
  return `${words[0].toUpperCase()}${words.slice(1)}${end}`;
}

function partButton({ part, words, shape }) {
  const button = element("button", "", shape ? "" : words);
  button.type = "button";
  if (shape) button.append(drawn(shape), element("span", "hidden", `${words}: ${shape}`));
  button.addEventListener("click", () => choose(part));
  return button;
}

// A shape of rows of `#` and `.`, as a picture.
function drawn(shape) {
  const space = "http://www.w3.org/2000/svg";
  const rows = shape.split("/");
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", `0 0 ${rows[0].length} ${rows.length}`);
  picture.setAttribute("width", 12 * rows[0].length);
  picture.setAttribute("height", 12 * rows.length);
  picture.setAttribute("aria-hidden", "true");
  rows.forEach((row, y) => [...row].forEach((square, x) => {
    if (square !== "#") return;
    const made = document.createElementNS(space, "rect");
    for (const [name, value] of Object.entries({ x, y, width: 0.94, height: 0.94 })) {
      made.setAttribute(name, value);
    }
    picture.append(made);
  }));
  return picture;
}

function drawScore() {
  score.hidden = false;
  score.replaceChildren(...round.players.map((name, at) => {
    const player = element("div", `player seat-${at + 1}`);
    const who = element("p", "who");
    who.append(element("span", "dot"), element("bdi", "", name));
    const own = at + 1 === round.seat && !round.between_people;
    const seat = own ? t("seat {0}, you", at + 1) : t("seat {0}", at + 1);
    player.append(who, element("p", "note", seat));
    player.append(element("p", "points", String(round.scores[at]).replace("-", "−")));
    return player;
  }));
}

function drawLog() {
  log.replaceChildren(...round.log.map(({ own, text }) => {
    const line = element("li", own ? `own seat-${round.seat}` : "");
    line.append(element("span", "note", own ? `${t("you:")} ` : ""), element("bdi", "", text));
    return line;
  }));
  log.scrollTop = log.scrollHeight;
}

function drawLegal() {
  const question = round.question;
  document.querySelector(".answers").hidden = !question;
  if (!question) return;
  const listed = question.legal.length;
  const many = listed < question.count ? t("the first {0} of {1}", listed, question.count) : listed;
  count.textContent = `(${many})`;
  legal.replaceChildren(...question.legal.map((text) => {
    const button = element("button", "", text);
    button.type = "button";
    const remark = question.remarks?.[text];
    if (remark) button.append(" ", element("span", "note", remark));
    button.addEventListener("click", () => exclusively(() => give(text)));
    return button;
  }));
}

function drawEnd() {
  const end = round.end;
  ending.hidden = !end;
  if (!end) return;
  const bad = end.result === "loss" && !round.between_people;
  document.getElementById("result").replaceChildren(element("span", `badge ${bad ? "bad" : "good"}`, result()));
  document.getElementById("lines").replaceChildren(...end.lines.map((line) => element("li", "", line)));
  const terms = end.terms.flatMap(([name, [one, two]]) => [element("dt", "", name), element("dd", "", `${one} : ${two}`)]);
  document.getElementById("terms").replaceChildren(...terms);
  document.getElementById("digest").textContent = end.digest;
  const watch = document.getElementById("watch");
  watch.hidden = !end.page;
  const course = new URLSearchParams(location.search).get("course");
  if (end.page) watch.href = course ? `${end.page}?${new URLSearchParams({ course })}` : end.page;
  keep();
}

// Makes the file of the round ready to be saved.
async function keep() {
  const save = document.getElementById("save");
  save.removeAttribute("href");
  try {
    const { name, text } = await judge.ask({ do: "replay" });
    if (saved) URL.revokeObjectURL(saved);
    saved = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
    save.href = saved;
    save.download = name;
  } catch (error) {
    refuse(error);
  }
}

// Another round against the same player.
function playAgain(seat) {
  if (round?.end && !busy) setup.again(round, seat, round.between_people ? HUMAN : opponent());
}

document.getElementById("rematch").addEventListener("click", () => playAgain(round.seat));
document.getElementById("swap").addEventListener("click", () => playAgain(3 - round.seat));
undo.addEventListener("click", () => step("undo", 1));
redo.addEventListener("click", () => step("redo", -1));
document.getElementById("uncover").addEventListener("click", uncover);
resign.addEventListener("click", () => exclusively(() => tell({ do: "resign" }, t("One moment…"))));
again.addEventListener("click", chooseAgain);
typed.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = answer.value.trim();
  answer.value = "";
  if (text && round?.question) exclusively(() => give(text));
});
main.addEventListener("keydown", (event) => {
  if (event.key === "Escape") chooseAgain();
});
const zoom = document.getElementById("zoom");
zoom.addEventListener("click", () => {
  zoom.setAttribute("aria-pressed", document.getElementById("frame").classList.toggle("large"));
});

async function start(wanted) {
  // A round that is still thought over is left.
  judge.stop();
  busy = false;
  round = null;
  looking = null;
  undone = 0;
  for (const shown of [trouble, score]) shown.hidden = true;
  main.setAttribute("data-empty", "");
  heading.textContent = t("The round begins…");
  await exclusively(() => tell({ do: "start", ...wanted }, t("The round begins…")));
  begun();
}

function begun() {
  heading.textContent = round?.title ?? t("Play a round");
  const which = round?.seed ? t("seed {0}", round.seed) : round?.players.join(" – ");
  document.title = round ? `${round.title}, ${which}` : t("Play a round");
  if (!round) return;
  document.getElementById("choose").open = false;
  board.focus();
}

// Goes on with the round that the server keeps, if there is one: the page was loaded again.
async function goOn() {
  try {
    show(await judge.ask({ do: "state" }));
  } catch (error) {
    if (error instanceof Refusal) return;
    throw error;
  }
  await exclusively(advance);
  begun();
}

try {
  setup = new Setup(await judge.ask({ do: "games" }), start, there);
  if (there) {
    const back = document.getElementById("back");
    back.href = there.address;
    if (there.kind === "bot") back.textContent = t("Back to the bot");
    back.parentElement.hidden = false;
    await goOn();
  }
} catch (error) {
  fail(error);
}
