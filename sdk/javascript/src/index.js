/** The kit for bots in JavaScript. Each game is a separate module, such as `judge-bot/amazons`. */
export { readGreeting } from './greeting.js';
export { Player, makeTools } from './player.js';
export { Random } from './random.js';
export { DRAW, OPEN, otherSeat } from './result.js';
export { run } from './run.js';
