import { readGreeting } from './greeting.js';
import { Random } from './random.js';

/**
 * Tools that a bot is given with each question, besides the state.
 * @typedef {object} Tools
 * @property {(text: string) => void} log writes a line to the bot's log, shown with the round
 * @property {Random} random random numbers, the same in every repetition of a round
 */

/**
 * The names that the modules of all games have in common.
 * @template State, Move
 * @typedef {object} Game
 * @property {string} name
 * @property {(greeting: import('./greeting.js').Greeting) => State} start the state of a new round
 * @property {(state: State, words: string[]) => State} hear the state after a notice
 * @property {(state: State, words: string[]) => State} ask the state with a question
 * @property {(state: State) => Move[]} legalMoves
 * @property {(state: State, move: Move) => State} apply
 * @property {(state: State) => number[]} score
 * @property {(state: State) => number} result
 * @property {(move: Move) => string} formatMove
 * @property {(text: string) => Move} parseMove
 */

/**
 * The player of a round: it keeps the state, asks a function for moves, and answers the judge's lines.
 * @template State, Move
 */
export class Player {
  /** @type {State | undefined} */
  state;

  /**
   * @param {Game<State, Move>} game a game's module, such as `judge-bot/amazons`
   * @param {(state: State, tools: Tools) => Move} chooseMove
   * @param {Tools} tools
   */
  constructor(game, chooseMove, tools) {
    this.game = game;
    this.chooseMove = chooseMove;
    this.tools = tools;
  }

  /** Takes a line of the judge; returns the answer to a question, and `undefined` for a notice. @param {string} text */
  line(text) {
    const words = text.split(' ');
    if (words[0] === 'game') this.state = this.#start(words);
    else if (this.state === undefined) throw new Error(`no round has begun before \`${text}\``);
    else if (words[0].endsWith('?')) return this.#answer(this.game.ask(this.state, words));
    else this.state = this.game.hear(this.state, words);
    return undefined;
  }

  /** @param {string[]} words */
  #start(words) {
    const greeting = readGreeting(words);
    if (greeting.game !== this.game.name) {
      throw new Error(`this bot plays \`${this.game.name}\`, not \`${greeting.game}\``);
    }
    return this.game.start(greeting);
  }

  /** @param {State} state */
  #answer(state) {
    const move = this.chooseMove(state, this.tools);
    let text;
    try {
      this.state = this.game.apply(state, move);
      text = this.game.formatMove(move);
    } catch {
      throw new Error(notAMove(move));
    }
    if (/undefined|NaN/.test(text)) throw new Error(notAMove(move));
    return text;
  }
}

/** @param {unknown} move */
function notAMove(move) {
  const shown = move instanceof Promise ? 'a promise, as it is `async`' : JSON.stringify(move);
  return `chooseMove returned ${shown}, which is no move: return one of legalMoves(state)`;
}

/** Tools that log by a function. @param {(text: string) => void} log @param {number} seed */
export function makeTools(log, seed) {
  return { log, random: new Random(seed) };
}
