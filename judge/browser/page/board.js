// The picture of the round, and over it a button for each place that can be chosen.
import { element } from "./judge.js";
import { t } from "./words.js";

const [frame, picture, places] = ["board", "picture", "targets"].map((id) => document.getElementById(id));
// The picture brings its colours along; the page's policy allows them in this form alone.
const colours = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, colours];

const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function middle(button) {
  return [button.offsetLeft + button.offsetWidth / 2, button.offsetTop + button.offsetHeight / 2];
}

export class Board {
  #choose;
  #size = [1, 1];
  #shape = null;

  // `choose` is called with the part of the place that is clicked on.
  constructor(choose) {
    this.#choose = choose;
    places.addEventListener("keydown", (event) => this.#move(event));
    places.addEventListener("focusin", ({ target }) => this.#tabTo(target));
  }

  // Shows another picture, which is read as SVG.
  picture(markup) {
    const [, style] = /<style>([^]*?)<\/style>/.exec(markup) ?? [null, ""];
    colours.replaceSync(style);
    const parsed = new DOMParser().parseFromString(markup.replace(/<style>[^]*?<\/style>/, ""), "image/svg+xml");
    const drawn = document.importNode(parsed.documentElement, true);
    picture.replaceChildren(drawn);
    const { width, height } = drawn.viewBox.baseVal;
    this.#size = [width, height];
    frame.style.setProperty("--ratio", width / height);
  }

  // Shows where the next part can be chosen, and what has been. `last` is the part at which the
  // answer can end, `shape` what would lie at the next place.
  show(next, chosen, targets, { last = null, shape = null } = {}) {
    this.#shape = shape;
    const words = new Map(next.map((choice) => [choice.part, choice.words]));
    const made = targets.flatMap((target) => {
      if (words.has(target.part)) return [this.#button(target, words.get(target.part), "next")];
      if (target.part === last) return [this.#button(target, t("stay on {0}: that is the answer", last), "chosen last")];
      return chosen.includes(target.part) ? [this.#lay(element("span", "chosen"), target)] : [];
    });
    places.replaceChildren(...made);
    places.querySelector("button")?.setAttribute("tabindex", "0");
  }

  // Puts the focus on a place, if there is one.
  focus() {
    places.querySelector("button")?.focus({ preventScroll: true });
  }

  #button(target, words, className) {
    const button = element("button", className);
    button.type = "button";
    button.tabIndex = -1;
    button.dataset.part = target.part;
    button.setAttribute("aria-label", words);
    button.title = words;
    button.addEventListener("click", () => this.#choose(target.part));
    for (const kind of ["pointerenter", "focus"]) {
      button.addEventListener(kind, () => this.#preview(target));
    }
    for (const kind of ["pointerleave", "blur"]) {
      button.addEventListener(kind, () => this.#preview(null));
    }
    return this.#lay(button, target);
  }

  #lay(over, { place: [x, y, width, height] }) {
    const [whole, high] = this.#size;
    const percent = (part, of) => `${(100 * part) / of}%`;
    Object.assign(over.style, {
      left: percent(x, whole),
      top: percent(y, high),
      width: percent(width, whole),
      height: percent(height, high),
    });
    return over;
  }

  // Shows where the shape would lie, with its first square on this place.
  #preview(target) {
    for (const ghost of places.querySelectorAll(".ghost")) ghost.remove();
    if (!target || !this.#shape) return;
    const [x, y, width, height] = target.place;
    const rows = this.#shape.split("/");
    const first = rows[0].indexOf("#");
    rows.forEach((row, down) => [...row].forEach((square, across) => {
      if (square !== "#") return;
      const place = [x + (across - first) * width, y + down * height, width, height];
      places.append(this.#lay(element("span", "ghost"), { place }));
    }));
  }

  #tabTo(button) {
    for (const other of places.querySelectorAll("button")) other.tabIndex = other === button ? 0 : -1;
  }

  // To the nearest place in that direction; going aside counts double.
  #move(event) {
    const way = ways[event.key];
    if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const [x, y] = middle(event.target);
    const far = (button) => {
      const [across, down] = [middle(button)[0] - x, middle(button)[1] - y];
      const along = across * way[0] + down * way[1];
      return along > 1 ? along + 2 * Math.abs(across * way[1] + down * way[0]) : Infinity;
    };
    const others = [...places.querySelectorAll("button")].filter((button) => far(button) < Infinity);
    others.sort((one, other) => far(one) - far(other))[0]?.focus();
  }
}
