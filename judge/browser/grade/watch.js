// A played round, line by line: the board, the line, the answer, its fuel and the log.
import { Board } from "./board.js";
import { t } from "./words.js";

const [section, players, ending, at, line, log, save] = [
  ".watch", "#players", "#ending", "#at", "#line", "#log", "#save-replay",
].map((selector) => document.querySelector(selector));
const steps = { first: () => 0, back: (now) => now - 1, forward: (now) => now + 1, last: (_, most) => most };

export class Watch {
  #judge;
  #board = new Board(() => {});
  #film = null;
  #address = null;
  #drawing = 0;

  // `judge` draws the boards.
  constructor(judge) {
    this.#judge = judge;
    at.addEventListener("input", () => this.#show());
    for (const [id, step] of Object.entries(steps)) {
      document.getElementById(id).addEventListener("click", () => {
        at.value = step(Number(at.value), Number(at.max));
        this.#show();
      });
    }
  }

  // Shows the round of a replay file, from its end if the bot failed.
  async open(replay, name) {
    this.#film = await this.#judge.ask({ do: "film", text: replay });
    const { players: names, scores, ending: words, calls } = this.#film;
    players.textContent = `${names[0]} ${scores[0]} : ${scores[1]} ${names[1]}`;
    ending.textContent = words.join("; ");
    at.max = String(calls.length);
    at.value = words.length > 1 ? String(calls.length) : "0";
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = URL.createObjectURL(new Blob([replay], { type: "application/jsonl" }));
    Object.assign(save, { href: this.#address, download: name });
    section.hidden = false;
    section.scrollIntoView({ block: "nearest" });
    await this.#show();
  }

  hide() {
    section.hidden = true;
  }

  async #show() {
    const number = ++this.#drawing;
    const index = Number(at.value);
    const call = this.#film.calls[index];
    line.textContent = call ? told(call) : t("the end");
    const text = call ? (index === 0 ? this.#film.log : "") + call.log : "";
    log.textContent = text;
    log.hidden = text === "";
    const picture = await this.#judge.ask({ do: "frame", at: index });
    if (number === this.#drawing) this.#board.picture(picture);
  }
}

function told({ seat, line: text, answer, fuel }) {
  const time = fuel === null ? "" : `  (${milliseconds(fuel)})`;
  return `${seat} ‹ ${text}${answer === null ? "" : `\n${seat} › ${answer}`}${time}`;
}

// Fuel as judge-milliseconds.
export function milliseconds(fuel) {
  return `${(fuel / 1e6).toLocaleString("en", { maximumFractionDigits: fuel < 1e7 ? 2 : 0 })} ms`;
}
