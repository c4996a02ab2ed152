// The form that chooses a round, filled from the page's address.
import { element } from "./judge.js";
import { t } from "./words.js";

const [form, game, opponent, seat, seed, switches, summary] = [
  "setup", "game", "opponent", "seat", "seed", "switches", "summary",
].map((id) => document.getElementById(id));

// What stands for an opponent when two people play each other.
export const HUMAN = "human";

// A seed for a round, if the user chose none.
function chance() {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]);
}

function option(value, text) {
  const made = element("option", "", text);
  made.value = value;
  return made;
}

export class Setup {
  #games;
  #start;
  #there;

  // `start` is called with the round that is chosen. An address with a seed begins at once. Against
  // a bot that was handed in to a server the luck is the server's, and there is nothing to switch.
  constructor(games, start, there = null) {
    this.#games = games;
    this.#start = start;
    this.#there = there;
    if (there) {
      for (const part of [seed.parentElement, switches.parentElement]) part.hidden = true;
    }
    game.replaceChildren(...games.map(({ name, title }) => option(name, title)));
    game.addEventListener("change", () => this.#fill());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    this.#read(new URLSearchParams(location.search));
  }

  #read(query) {
    const known = this.#games.some(({ name }) => name === query.get("game"));
    if (known) game.value = query.get("game");
    this.#fill();
    for (const control of form.elements) {
      const wanted = query.get(control.name);
      if (!control.name || control === game || wanted === null) continue;
      const exists = control.tagName !== "SELECT" || [...control.options].some(({ value }) => value === wanted);
      if (exists) control.value = wanted;
    }
    if (known && query.get("seed") && !this.#there) this.#begin();
  }

  // Opponents and switches of the game.
  #fill() {
    const { summary: words, opponents, options } = this.#games.find(({ name }) => name === game.value);
    summary.textContent = words;
    opponent.replaceChildren(...opponents.map(({ name, summary: how }) => {
      const made = option(name, name);
      made.title = how;
      return made;
    }));
    if (!this.#there) opponent.append(option(HUMAN, t("another person, at this screen")));
    switches.replaceChildren(...options.map(({ key, default: value, summary: what }) => {
      const label = element("label", "", `${key} `);
      const input = element("input");
      input.name = `option.${key}`;
      input.placeholder = value;
      label.append(input, element("span", "note", what));
      return label;
    }));
  }

  #begin() {
    if (this.#there) return this.#beginThere();
    const chosen = [...switches.querySelectorAll("input")].filter(({ value }) => value.trim());
    const options = Object.fromEntries(chosen.map(({ name, value }) => [name.slice(7), value.trim()]));
    const wanted = {
      game: game.value,
      opponent: opponent.value,
      seat: Number(seat.value),
      seed: seed.value.trim() || chance(),
      options,
    };
    this.#play(wanted);
  }

  #beginThere() {
    this.#play({ game: game.value, seat: Number(seat.value) });
  }

  // Begins another round like this one, in the seat `own`: the same player opposite, other luck.
  again({ game: name, options }, own, opposite) {
    seat.value = String(own);
    if (this.#there) return this.#play({ game: name, seat: own });
    seed.value = "";
    this.#play({ game: name, opponent: opposite, seat: own, seed: chance(), options });
  }

  #play(wanted) {
    this.#address(wanted);
    this.#start(wanted);
  }

  // The address of the page leads to this round again.
  #address({ options = {}, ...round }) {
    const course = new URLSearchParams(location.search).get("course");
    const query = new URLSearchParams({
      ...(this.#there ? { [this.#there.kind]: this.#there.id } : {}),
      ...(course ? { course } : {}),
      ...round,
    });
    for (const [key, value] of Object.entries(options)) query.set(`option.${key}`, value);
    history.replaceState(null, "", `?${query}`);
  }
}
