// judge: game=cc
// A bot for Capturing & Conquering in AssemblyScript.

// The board: 0 is empty, 1 a man of yours, 2 one of the other side.
const board = new StaticArray<i32>(256);
let size = 8;
// 1 if you run down and right, -1 if you run up and left.
let forward = 1;

class Move {
  constructor(
    public row: i32,
    public column: i32,
    public toRow: i32,
    public toColumn: i32,
    public takes: bool,
  ) {}
}

// YOUR STRATEGY: how good this move is. The best one is played.
function value(move: Move): i32 {
  const run = forward * (move.toRow + move.toColumn - move.row - move.column);
  return 2 * run + (move.takes ? 5 : 0);
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
  read(words[1]);
  const all = moves();
  let best = all[0];
  for (let i = 1; i < all.length; i++) {
    if (value(all[i]) > value(best)) best = all[i];
  }
  log(all.length.toString() + " moves");
  return name(best.row, best.column) + ">" + name(best.toRow, best.toColumn);
}

function name(row: i32, column: i32): string {
  return row.toString() + "," + column.toString();
}

function read(position: string): void {
  const side = position.charCodeAt(0);
  forward = side == 48 ? 1 : -1;
  for (size = 5; 1 + 2 * size * size < position.length; size++) {}
  for (let at = 0; at < size * size; at++) {
    const mine = position.charCodeAt(1 + 2 * at) == side;
    const man = position.charCodeAt(2 + 2 * at) == 49;
    board[at] = !man ? 0 : mine ? 1 : 2;
  }
}

// What stands on a square; -1 outside of the board.
function on(row: i32, column: i32): i32 {
  if (row < 0 || row >= size || column < 0 || column >= size) return -1;
  return board[row * size + column];
}

// Steps and single jumps; a chain, such as `0,1>2,3>2,5`, is allowed as well.
function moves(): Move[] {
  const found: Move[] = [];
  for (let at = 0; at < size * size; at++) {
    if (board[at] != 1) continue;
    const row = at / size;
    const column = at % size;
    for (let way = 0; way < 9; way++) {
      const down = way / 3 - 1;
      const right = (way % 3) - 1;
      const next = on(row + down, column + right);
      if (next == 0 && down * forward >= 0 && right * forward >= 0) {
        found.push(new Move(row, column, row + down, column + right, false));
      } else if (way != 4 && next > 0 && on(row + 2 * down, column + 2 * right) == 0) {
        found.push(new Move(row, column, row + 2 * down, column + 2 * right, next == 2));
      }
    }
  }
  return found;
}
