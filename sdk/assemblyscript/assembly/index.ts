export { Greeting } from "./greeting";
export { Game, Player, Tools } from "./player";
export { Random } from "./random";
export { DRAW, OPEN, otherSeat } from "./result";
export { judge_buffer, judge_line, run } from "./run";
