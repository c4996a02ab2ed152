/**
 * The first line of a round, `game cc seat 1 size=8 …`, taken apart.
 * @typedef {object} Greeting
 * @property {string} game the game's name
 * @property {number} seat the bot's seat, 1 or 2
 * @property {Record<string, string>} options the rule switches
 */

/** Reads the words of the line. @param {string[]} words @returns {Greeting} */
export function readGreeting(words) {
  /** @type {Record<string, string>} */
  const options = {};
  for (const word of words.slice(4)) {
    const at = word.indexOf('=');
    options[word.slice(0, at)] = word.slice(at + 1);
  }
  return { game: words[1], seat: Number(words[3]), options };
}
