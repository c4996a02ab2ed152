// judge: game=mahjong
// A bot for Mahjong in AssemblyScript.

// How many tiles there are of each suit (b, c, d) and rank (1 to 9): at 11 * suit + rank.
const hand = new StaticArray<i32>(33);

// YOUR STRATEGY: how much this tile is worth to you. The one of the least worth is thrown.
function value(suit: i32, rank: i32): i32 {
  const at = 11 * suit + rank;
  let worth = 3 * (hand[at] - 1);
  if (hand[at - 1] > 0) worth += 2;
  if (hand[at + 1] > 0) worth += 2;
  return worth;
}

// A win is offered: do you take it?
function takesWin(tile: string): bool {
  log("won with " + tile);
  return true;
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
  if (words[0] == "draw") hand[tileAt(words[1])]++;
  if (words[0] == "discard?") return discard();
  if (words[0] == "win?") return takesWin(words[1]) ? "yes" : "no";
  return "";
}

// The place of a tile such as `3b` in the hand.
function tileAt(tile: string): i32 {
  return 11 * (tile.charCodeAt(1) - 98) + tile.charCodeAt(0) - 48;
}

function discard(): string {
  let worst = -1;
  let least = i32.MAX_VALUE;
  for (let at = 0; at < 33; at++) {
    if (hand[at] == 0 || value(at / 11, at % 11) >= least) continue;
    worst = at;
    least = value(at / 11, at % 11);
  }
  hand[worst]--;
  return (worst % 11).toString() + "bcd".charAt(worst / 11);
}
