// A comparison of the bot with an earlier version, or with a reference opponent in its seat: the
// choice, and the figures.
import { Refusal, element } from "./judge.js";
import { t } from "./words.js";
import { titleOf } from "./versions.js";

const [section, answer, difference, passed, rows, losses, lost, none, rival, most] = [
  ".compared", "#answer", "#difference", "#passed", "#compared tbody", "#losses", "#lost", "#no-loss", "#rival", "#most",
].map((selector) => document.querySelector(selector));

const PREVIOUS = "previous";
const ROUNDS = [10, 25, 50, 100, 200, 400];

const signed = new Intl.NumberFormat("en", { signDisplay: "exceptZero", minimumFractionDigits: 2, maximumFractionDigits: 2 });
const withMinus = (text) => text.replace("-", "−");
const score = (value) => (value === null ? "–" : withMinus(value.toFixed(2)));
const share = (chance) => (chance === null ? "–" : `${(100 * chance.value).toFixed(1)} %`);

const figure = (value) => withMinus(signed.format(value));
// An interval, whose ends are null if they are unknown.
const interval = ({ low, high }) => (low === null ? t("unknown") : `${figure(low)} … ${figure(high)}`);

// An entry of a list.
export function option(value, text) {
  const made = element("option", "", text);
  made.value = value;
  return made;
}

function group(label, options) {
  const made = element("optgroup");
  made.label = label;
  made.append(...options);
  return made;
}

export class Comparison {
  #watch;
  #versions = [];

  // `watch` is called with the place of a round to show: the indexes of its seed, conditions and
  // version, and a name for its file.
  constructor(watch) {
    this.#watch = watch;
    most.replaceChildren(...ROUNDS.map((rounds) => option(String(rounds), t("at most {0} rounds", rounds))));
    most.value = "50";
  }

  // Offers versions, newest first, and reference opponents. What was chosen remains.
  offer(versions, opponents) {
    const before = rival.value || PREVIOUS;
    this.#versions = versions;
    const earlier = versions.map((version) => option(`version/${version.time}`, titleOf(version)));
    const groups = [option(PREVIOUS, t("the previous version"))];
    if (earlier.length) groups.push(group(t("Earlier versions"), earlier));
    groups.push(group(t("Reference opponents"), opponents.map((name) => option(`opponent/${name}`, name))));
    rival.replaceChildren(...groups);
    rival.value = before;
    if (rival.selectedIndex < 0) rival.value = PREVIOUS;
  }

  // The choice, as a version or the name of an opponent. `present` is the source in the editor; null
  // for a module.
  chosen(present) {
    const [what, ...rest] = rival.value.split("/");
    if (what === "opponent") return { opponent: rest.join("/") };
    const isOther = ({ kind, text }) => kind !== present?.kind || text !== present.text;
    const isChosen = ({ time }) => String(time) === rest[0];
    const version = this.#versions.find(what === PREVIOUS ? isOther : isChosen);
    if (!version) throw new Refusal(t("there is no earlier version: grade one first, or choose a reference opponent"));
    return { version };
  }

  // Most rounds per version and testcase.
  get rounds() {
    return Number(most.value);
  }

  hide() {
    section.hidden = true;
  }

  // Shows the figures; `opponent` is the name of the reference opponent, if it is not a version.
  show(figures, opponent) {
    rows.replaceChildren(...figures.testcases.map((testcase) => this.#row(testcase)));
    lost.replaceChildren(...figures.worst.map((round) => this.#loss(round, opponent)));
    const isPlayed = figures.judge_errors < figures.rounds;
    losses.hidden = !isPlayed;
    none.hidden = !isPlayed || figures.worst.length > 0;
    const { difference: found, rounds, judge_errors: errors, passed: [before, now] } = figures;
    const parts = [
      t("Score difference in a round: {0}, 95 % interval {1}.", figure(found.value), interval(found)),
      t("{0} rounds per testcase and version.", rounds),
      errors ? t("{0} seeds are left out because the judge failed.", errors) : "",
    ];
    difference.textContent = parts.filter(Boolean).join(" ");
    passed.textContent = t("Testcases passed on average: {0} → {1}.", before.toFixed(2), now.toFixed(2));
    section.hidden = false;
    // Last, so that a screen reader finds the whole result below its announcement.
    answer.textContent = sentence(figures, opponent ?? t("the earlier one"));
  }

  #row({ title, mean, faults, chance, difference: by }) {
    const row = element("tr");
    const head = element("th", "", title);
    head.scope = "row";
    if (faults.some(Boolean)) head.append(element("span", "detail", t("rounds with faults: {0} → {1}", ...faults)));
    const cells = [mean.map(score).join(" → "), figure(by.value), chance.map(share).join(" → ")];
    const [means, change, chances] = cells.map((text) => element("td", "", text));
    change.append(element("span", "detail", interval(by)));
    row.append(head, means, change, chances);
    return row;
  }

  #loss({ title, seed, scores, place }, opponent) {
    const row = element("li");
    const what = `${title}, ${t("seed {0}", seed)}`;
    const labels = [opponent ? `${opponent}: ${scores[0]}` : t("earlier: {0}", scores[0]), t("present: {0}", scores[1])];
    const buttons = labels.map((label, version) => {
      const button = element("button", "", label);
      button.type = "button";
      button.setAttribute("aria-label", t("Watch {0} ({1})", what, label));
      button.addEventListener("click", () => this.#watch([...place, version], `${title}-${seed}`));
      return button;
    });
    row.append(element("span", "", what), ...buttons);
    return row;
  }
}

function sentence({ answer: word, difference: { low }, rounds, judge_errors: errors }, other) {
  if (word === "better") return t("The present version scores more than {0}.", other);
  if (word === "worse") return t("The present version scores less than {0}.", other);
  if (errors === rounds) return t("The judge failed on every seed, so there is no answer.");
  if (low === null) return t("Every seed gives the same difference, so the rounds do not decide.");
  return t("The rounds do not decide whether the present version scores more than {0}.", other);
}
