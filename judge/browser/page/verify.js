// Checks a replay by the rules, in the page.
import { Judge, element } from "./judge.js";
import { t } from "./words.js";

// Larger files are no replays: a round is at most some megabytes.
const MOST_BYTES = 64 * 1024 * 1024;

const [drop, file, verdict, claim, findings] = ["drop", "file", "verdict", "claim", "findings"].map(
  (id) => document.getElementById(id),
);
const judge = new Judge();
const marks = { checked: t("checked"), unchecked: t("not checked"), contradicted: t("not true") };

function tell(text, className = "") {
  verdict.className = className;
  verdict.textContent = text;
}

function entry({ status, text, sides }) {
  const item = element("li", status);
  item.append(element("b", "", `${marks[status]}: `), element("bdi", "", text));
  if (sides) {
    const table = element("dl");
    for (const [at, name] of [t("recorded"), t("by the rules")].entries()) {
      table.append(element("dt", "", name), element("dd", "", sides[at]));
    }
    item.append(table);
  }
  return item;
}

function show(name, { replay, holds, claim: claims, findings: found }) {
  const whole = found.every(({ status }) => status === "checked");
  const good = whole ? t("consistent with the rules") : t("consistent with the rules, as far as they can check it");
  const bad = replay ? t("does not hold") : t("is not a replay");
  tell(`${name}: ${holds ? good : bad}`, holds ? "good" : "bad");
  claim.replaceChildren(...claims.map((text) => element("li", "", text)));
  findings.replaceChildren(...found.map(entry));
}

let last = 0;

async function check(given) {
  const number = ++last;
  // A file that is still gone through is left.
  judge.stop();
  claim.replaceChildren();
  findings.replaceChildren();
  if (given.size > MOST_BYTES) return tell(`${given.name}: ${t("is not a replay: it is too large")}`, "bad");
  tell(`${given.name}: ${t("checking it against the rules…")}`);
  try {
    const found = await judge.ask({ do: "verify", text: await given.text() });
    if (number === last) show(given.name, found);
  } catch (error) {
    judge.stop();
    if (number === last) tell(`${given.name}: ${t("the judge failed: {0}", error.message)}`, "bad");
  }
}

file.addEventListener("change", () => file.files[0] && check(file.files[0]));
for (const kind of ["dragenter", "dragover"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) drop.classList.remove("over");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const given = event.dataTransfer.files[0];
  if (given) check(given);
});
