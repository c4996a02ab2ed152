// The report of a grading: a row for each testcase, and buttons for its rounds.
import { element } from "./judge.js";
import { t } from "./words.js";
import { milliseconds } from "./watch.js";

const [section, total, rows, digest, doubt, saveReport, saveModule] = [
  ".graded", "#total", "#testcases tbody", "#digest", "#unsure", "#save-report", "#save-module",
].map((selector) => document.querySelector(selector));

const verdicts = {
  accepted: t("Accepted"),
  "below-threshold": t("Below threshold"),
  "time-limit-exceeded": t("Time limit exceeded"),
  "memory-limit-exceeded": t("Memory limit exceeded"),
  "output-limit-exceeded": t("Output limit exceeded"),
  "runtime-error": t("Runtime error"),
  "illegal-move": t("Illegal move"),
  "protocol-error": t("Protocol error"),
  "invalid-module": t("Invalid module"),
  "judge-error": t("Judge error"),
};

export class Report {
  #watch;
  #addresses = [];
  // The last result on each suite.
  #before = new Map();

  // `watch` is called with the numbers of a testcase and of its round, counted from 0.
  constructor(watch) {
    this.#watch = watch;
  }

  hide() {
    section.hidden = true;
  }

  // Shows a report, given as the judge's text, of a bot. Its rounds have the seeds of the last report
  // on the suite, so the change of each score is shown. `unsure` says that the digest may differ.
  // Returns the points and the digest.
  show(text, { name, bytes }, unsure) {
    const { suite, title, bots: [bot] } = JSON.parse(text);
    const before = this.#before.get(suite);
    this.#before.set(suite, bot);
    const refused = bot.refused ? `: ${verdicts[bot.refused.verdict]}. ${bot.refused.detail}` : "";
    total.textContent = `${title}: ${t("{0} of {1} points", bot.points, bot.max_points)}${refused}`;
    rows.replaceChildren(...bot.testcases.map((testcase, number) => {
      return this.#row(testcase, number, before?.testcases[number]?.score);
    }));
    digest.textContent = bot.digest;
    doubt.hidden = !unsure;
    for (const address of this.#addresses) URL.revokeObjectURL(address);
    this.#addresses = [];
    this.#offer(saveReport, text, "application/json", `${name}.report.json`);
    this.#offer(saveModule, bytes, "application/wasm", `${name}.wasm`);
    section.hidden = false;
    return { points: String(bot.points), digest: bot.digest };
  }

  #offer(link, content, type, name) {
    const address = URL.createObjectURL(new Blob([content], { type }));
    this.#addresses.push(address);
    Object.assign(link, { href: address, download: name });
  }

  #row({ title, verdict, detail, score, points, max_points: most, fuel, rounds }, number, before) {
    const row = element("tr");
    const head = element("th", "", title);
    head.scope = "row";
    const told = element("td");
    told.append(element("b", verdict === "accepted" ? "good" : "bad", verdicts[verdict]));
    told.append(element("span", "detail", detail));
    const change = before === undefined || before === score ? "" : ` (${score > before ? "+" : "−"}${Math.abs(score - before)})`;
    const figures = [`${score}${change}`, `${points}/${most}`, milliseconds(fuel)];
    row.append(head, told, ...figures.map((figure) => element("td", "number", String(figure))));
    row.append(this.#rounds(rounds, number));
    return row;
  }

  // The played rounds, lowest score first: a few, as testcases can have thousands.
  #rounds(rounds, number) {
    const cell = element("td");
    const faults = (round) => Number(round.verdict !== "accepted");
    const played = rounds.filter(({ outcome }) => outcome);
    played.sort((one, other) => faults(other) - faults(one) || one.score - other.score);
    for (const { round, score, opponent_score: other } of played.slice(0, 3)) {
      const button = element("button", "", `${round}: ${score}–${other}`);
      button.type = "button";
      button.setAttribute("aria-label", t("Watch round {0}: {1}", round, `${score}–${other}`));
      button.addEventListener("click", () => this.#watch(number, round - 1));
      cell.append(button);
    }
    return cell;
  }
}
