// judge: game=agamemnon
// A bot for Agamemnon in AssemblyScript.

// The nodes: how many edges end there, another end of one of them, and whether a tile is there.
const edges = new StaticArray<i32>(100);
const neighbour = new StaticArray<string>(100);
const taken = new StaticArray<bool>(100);
// Your letter on tiles: `O` or `B`.
let me = "O";

// YOUR STRATEGY: how good it is to place a tile of this kind (`a` to `j`) on this node. The best
// empty node is taken.
function value(kind: string, node: i32): i32 {
  return kind == "i" || kind == "j" ? -edges[node] : edges[node];
}

// A Weft (`i`) or Warp (`j`) was drawn: do you put it back for another tile?
function putsBack(kind: string): bool {
  return kind == "i";
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
  if (words[0] == "game") me = words[3] == "1" ? "O" : "B";
  if (words[0] == "redraw?") return putsBack(words[1]) ? "yes" : "no";
  if (words[0] != "move?") return "";
  read(words[2], words[3]);
  let action = "";
  for (let i = 0; i < words[1].length; i++) action += place(words[1].charAt(i));
  log("placed " + action);
  return action;
}

function read(tiles: string, strings: string): void {
  edges.fill(0);
  taken.fill(false);
  for (let at = 0; at + 5 <= strings.length; at += 5) {
    const one = strings.substr(at + 1, 2);
    const two = strings.substr(at + 3, 2);
    edges[i32.parse(one)]++;
    edges[i32.parse(two)]++;
    neighbour[i32.parse(one)] = two;
    neighbour[i32.parse(two)] = one;
  }
  for (let at = 0; at + 4 <= tiles.length; at += 4) taken[i32.parse(tiles.substr(at + 2, 2))] = true;
}

function place(kind: string): string {
  let best = -1;
  for (let node = 0; node < 100; node++) {
    if (edges[node] == 0 || taken[node]) continue;
    if (best < 0 || value(kind, node) > value(kind, best)) best = node;
  }
  taken[best] = true;
  const placed = me + kind + best.toString().padStart(2, "0");
  // A Warp exchanges the types of two edges at its node; the same edge twice changes nothing.
  return kind == "j" ? placed + neighbour[best] + neighbour[best] : placed;
}
