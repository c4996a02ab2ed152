// judge: game=amazons
// A bot for Amazons in AssemblyScript.

// The board, with a border: `w` and `b` are amazons, `x` is burnt, `.` is empty, 0 is outside.
const WIDE = 18;
const EMPTY: u8 = 46;
const BURNT: u8 = 120;
const board = new StaticArray<u8>(WIDE * WIDE);
let me: u8 = 119;
const directions: StaticArray<i32> = [1, -1, WIDE, -WIDE, WIDE + 1, -WIDE - 1, WIDE - 1, 1 - WIDE];

class Move {
  constructor(public from: i32, public to: i32, public arrow: i32) {}
}

// How many squares an amazon on this square can go to.
function reach(from: i32): i32 {
  let count = 0;
  for (let d = 0; d < 8; d++) {
    const direction = directions[d];
    for (let square = from + direction; board[square] == EMPTY; square += direction) count++;
  }
  return count;
}

// YOUR STRATEGY: how good this move is. The best one is played. The board is as after the move.
function value(from: i32, to: i32, arrow: i32): i32 {
  return reach(to);
}

// What follows talks with the judge, which writes a line to `buffer` and calls `judge_line`.
// `log("…")` writes to your log.

const buffer = new StaticArray<u8>(4096);

export function judge_buffer(): usize {
  return changetype<usize>(buffer);
}

export function judge_line(length: i32): i32 {
  const reply = hear(String.UTF8.decodeUnsafe(changetype<usize>(buffer), length));
  return i32(String.UTF8.encodeUnsafe(changetype<usize>(reply), reply.length, changetype<usize>(buffer)));
}

@external("judge", "log")
declare function judgeLog(address: usize, length: i32): void;

function log(text: string): void {
  const bytes = String.UTF8.encode(text + "\n");
  judgeLog(changetype<usize>(bytes), bytes.byteLength);
}

function hear(line: string): string {
  const words = line.split(" ");
  if (words[0] != "move?") return "";
  readBoard(words[1]);
  me = u8(words[2].charCodeAt(0));
  bestValue = i32.MIN_VALUE;
  for (let square = 0; square < board.length; square++) {
    if (board[square] == me) movesOf(square);
  }
  log("worth " + bestValue.toString());
  return name(best.from) + "-" + name(best.to) + "/" + name(best.arrow);
}

let best = new Move(0, 0, 0);
let bestValue = 0;

function name(square: i32): string {
  return String.fromCharCode(96 + (square % WIDE)) + (square / WIDE).toString();
}

// The moves of an amazon: each way to go, and from there each way to shoot.
function movesOf(from: i32): void {
  for (let d = 0; d < 8; d++) {
    const go = directions[d];
    for (let to = from + go; board[to] == EMPTY; to += go) {
      board[from] = EMPTY;
      for (let e = 0; e < 8; e++) {
        const shoot = directions[e];
        for (let arrow = to + shoot; board[arrow] == EMPTY; arrow += shoot) consider(from, to, arrow);
      }
      board[from] = me;
    }
  }
}

function consider(from: i32, to: i32, arrow: i32): void {
  board[to] = me;
  board[arrow] = BURNT;
  const found = value(from, to, arrow);
  board[arrow] = EMPTY;
  board[to] = EMPTY;
  if (found > bestValue) {
    bestValue = found;
    best = new Move(from, to, arrow);
  }
}

function readBoard(text: string): void {
  board.fill(0);
  const rows = text.split("/");
  for (let number = 0; number < rows.length; number++) {
    let at = (rows.length - number) * WIDE + 1;
    let empty = 0;
    for (let i = 0; i <= rows[number].length; i++) {
      const letter = i < rows[number].length ? rows[number].charCodeAt(i) : 0;
      if (letter >= 48 && letter <= 57) {
        empty = 10 * empty + letter - 48;
        continue;
      }
      for (; empty > 0; empty--) board[at++] = EMPTY;
      if (letter != 0) board[at++] = u8(letter);
    }
  }
}
