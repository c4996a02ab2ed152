/** The first line of a round, `game cc seat 1 size=8 …`, taken apart. */
export class Greeting {
  /** The game's name. */
  game: string;
  /** The bot's seat, 1 or 2. */
  seat: i32;
  /** The rule switches. */
  options: Map<string, string> = new Map<string, string>();

  constructor(words: string[]) {
    this.game = words[1];
    this.seat = number(words[3]);
    for (let i = 4; i < words.length; i++) {
      const at = words[i].indexOf("=");
      this.options.set(words[i].substring(0, at), words[i].substring(at + 1));
    }
  }

  /** The value of a rule switch, empty if there is none. */
  option(key: string): string {
    return this.options.has(key) ? this.options.get(key) : "";
  }
}

/** Reads a whole number of the protocol. */
export function number(text: string): i32 {
  return i32.parse(text, 10);
}
