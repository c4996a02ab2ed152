// The patches of Patchwork, with their shapes in all orientations.

/** Rows and columns of a quilt. */
export const SIDE = 9;

/** The letters of all patches; `h` is the special one. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh";

/** Rows from the top in orientation A. */
const SHAPES =
  "#/# .#/## .#/## #/#/# .#/##/#. #./##/## ..#../#####/..#.. .#./###/.#./.#. ##/## #./##/##/.# " +
  ".#/##/.# ##/.#/.#/## #/#/#/# ##### #./#./##/#. #./##/##/#. .#./###/#.# .#./.##/##./.#. " +
  ".#/.#/## .#./###/.#. #.#/###/#.# .#./###/###/.#. .#/.#/.#/## .#./.#./### ##/##/.#/.# " +
  "##./.#./.#./.## #./#./## .#./.#./.#./### #../##./.## #.#/### .#/.#/##/#. .##/##. .##/.##/##. #";

/** Cost in buttons, time in squares of the track, income in buttons at each income square. */
const COSTS: StaticArray<i32> = [
  2, 1, 3, 2, 3, 2, 1, 0, 6, 4, 2, 1, 3, 7, 3, 7, 3, 2, 4, 5, 2, 5, 10, 5, 10, 1, 4, 7, 10, 1, 2, 7,
  8, 0,
];
const TIMES: StaticArray<i32> = [
  1, 3, 1, 2, 2, 2, 4, 3, 5, 2, 2, 5, 3, 1, 4, 4, 6, 1, 6, 4, 3, 3, 3, 5, 5, 2, 2, 2, 4, 2, 3, 6, 6, 0,
];
const INCOMES: StaticArray<i32> = [
  0, 0, 0, 0, 1, 0, 1, 1, 2, 0, 0, 1, 1, 1, 1, 2, 2, 0, 2, 2, 0, 1, 2, 2, 3, 0, 1, 2, 3, 0, 1, 3, 3, 0,
];

/** A patch in one orientation, 0 to 7: a bit for each column in each of its rows. */
export class Shape {
  constructor(
    public orientation: i32,
    public rows: i32[],
    public width: i32,
    public height: i32,
  ) {}

  private looksLike(other: Shape): bool {
    if (this.width != other.width || this.height != other.height) return false;
    for (let i = 0; i < this.height; i++) {
      if (this.rows[i] != other.rows[i]) return false;
    }
    return true;
  }

  /** True if it looks like one of these. */
  isAmong(shapes: Shape[]): bool {
    for (let i = 0; i < shapes.length; i++) {
      if (this.looksLike(shapes[i])) return true;
    }
    return false;
  }
}

/** A patch. */
export class Patch {
  /** Squares that it covers. */
  squares: i32 = 0;
  /** Shapes in the orientations A to H. */
  shapes: Shape[] = [];
  /** The same without those that look like an earlier one. */
  distinct: Shape[] = [];

  constructor(
    public letter: string,
    public cost: i32,
    public time: i32,
    public income: i32,
    rows: string[],
  ) {
    for (let orientation = 0; orientation < 8; orientation++) {
      const shape = makeShape(rows, orientation);
      this.shapes.push(shape);
      if (!shape.isAmong(this.distinct)) this.distinct.push(shape);
    }
    for (let i = 0; i < rows.length; i++) this.squares += rows[i].split("#").length - 1;
  }
}

function reversed(row: string): string {
  let text = "";
  for (let i = row.length - 1; i >= 0; i--) text += row.charAt(i);
  return text;
}

/** Turns a quarter clockwise. */
function turned(rows: string[]): string[] {
  const next: string[] = [];
  for (let column = 0; column < rows[0].length; column++) {
    let row = "";
    for (let i = rows.length - 1; i >= 0; i--) row += rows[i].charAt(column);
    next.push(row);
  }
  return next;
}

/** The rows in an orientation: E to H are mirrored before they turn. */
function makeShape(rows: string[], orientation: i32): Shape {
  let lines = rows.slice();
  if (orientation >= 4) {
    for (let i = 0; i < lines.length; i++) lines[i] = reversed(lines[i]);
  }
  for (let turns = orientation % 4; turns > 0; turns--) lines = turned(lines);
  const bits: i32[] = [];
  for (let i = 0; i < lines.length; i++) {
    let row = 0;
    for (let column = 0; column < lines[i].length; column++) {
      if (lines[i].charAt(column) == "#") row |= 1 << column;
    }
    bits.push(row);
  }
  return new Shape(orientation, bits, lines[0].length, lines.length);
}

function makePatches(): Patch[] {
  const shapes = SHAPES.split(" ");
  const patches: Patch[] = [];
  for (let i = 0; i < shapes.length; i++) {
    const rows = shapes[i].split("/");
    patches.push(new Patch(LETTERS.charAt(i), COSTS[i], TIMES[i], INCOMES[i], rows));
  }
  return patches;
}

/** Every patch, A to Z, a to g, and `h`. */
export const PATCHES: Patch[] = makePatches();

/** The patch with this letter. */
export function patch(letter: string): Patch {
  return PATCHES[LETTERS.indexOf(letter)];
}
