/**
 * Random numbers that are the same in every kit and in the referee: PCG-XSH-RR 64/32, seeded by
 * SplitMix64, as `judge/docs/determinism.md` describes it. A 64-bit number is a pair of 32-bit
 * halves, since 64-bit integers (`BigInt`) are slow in JavaScript.
 */

/** @typedef {{ high: number, low: number }} Wide */

/** @param {number} high @param {number} low @returns {Wide} */
const wide = (high, low) => ({ high: high >>> 0, low: low >>> 0 });

const GOLDEN_GAMMA = wide(0x9e3779b9, 0x7f4a7c15);
const MIX_ONE = wide(0xbf58476d, 0x1ce4e5b9);
const MIX_TWO = wide(0x94d049bb, 0x133111eb);
const MULTIPLIER = wide(0x5851f42d, 0x4c957f2d);
const TWO_TO_32 = 0x100000000;

/** The upper half of the product of two 32-bit numbers. @param {number} a @param {number} b */
function highProduct(a, b) {
  const lowA = a & 0xffff;
  const highA = a >>> 16;
  const lowB = b & 0xffff;
  const highB = b >>> 16;
  const first = highA * lowB + ((lowA * lowB) >>> 16);
  const second = lowA * highB + (first & 0xffff);
  return (highA * highB + (first >>> 16) + (second >>> 16)) >>> 0;
}

/** @param {Wide} a @param {Wide} b */
function multiply(a, b) {
  const crossed = Math.imul(a.high, b.low) + Math.imul(a.low, b.high);
  return wide(highProduct(a.low, b.low) + crossed, Math.imul(a.low, b.low));
}

/** @param {Wide} a @param {Wide} b */
function add(a, b) {
  const low = a.low + b.low;
  return wide(a.high + b.high + (low >= TWO_TO_32 ? 1 : 0), low);
}

/** `value ^ (value >> bits)`, for 0 < bits < 32. @param {Wide} value @param {number} bits */
function foldRight(value, bits) {
  const low = (value.low >>> bits) | (value.high << (32 - bits));
  return wide(value.high ^ (value.high >>> bits), value.low ^ low);
}

/** Output number `n` of SplitMix64 started at the seed. @param {Wide} seed @param {Wide} n */
function splitMix(seed, n) {
  let mixed = add(seed, multiply(n, GOLDEN_GAMMA));
  mixed = multiply(foldRight(mixed, 30), MIX_ONE);
  mixed = multiply(foldRight(mixed, 27), MIX_TWO);
  return foldRight(mixed, 31);
}

/** @param {number} value a whole number from 0 */
function widened(value) {
  return wide(Math.floor(value / TWO_TO_32), value % TWO_TO_32);
}

/** A reproducible stream of random numbers. */
export class Random {
  #state = wide(0, 0);
  #increment = wide(0, 1);

  /**
   * @param {number} seed a whole number from 0 to 2^53 - 1
   * @param {number} stream number of one of the seed's independent streams
   */
  constructor(seed = 1, stream = 0) {
    const selector = widened(stream);
    this.#increment = wide((selector.high << 1) | (selector.low >>> 31), (selector.low << 1) | 1);
    this.#state = add(splitMix(widened(seed), widened(stream + 1)), this.#increment);
    this.next();
  }

  /** The next 32 random bits, as a number from 0. */
  next() {
    const { high, low } = this.#state;
    this.#state = add(multiply(this.#state, MULTIPLIER), this.#increment);
    const folded = foldRight18(high, low);
    const turns = high >>> 27;
    return ((folded >>> turns) | (folded << (-turns & 31))) >>> 0;
  }

  /** A uniform number from 0 to `bound - 1`. @param {number} bound at least 1 */
  below(bound) {
    const reject = TWO_TO_32 % bound;
    for (;;) {
      const bits = this.next();
      if (bits >= reject) return bits % bound;
    }
  }

  /**
   * An element of a list, each as likely as the others.
   * @template T @param {ArrayLike<T>} items @returns {T}
   */
  choice(items) {
    return items[this.below(items.length)];
  }

  /**
   * Shuffles a list in place: Fisher–Yates from its last element down.
   * @template T @param {T[]} items
   */
  shuffle(items) {
    for (let last = items.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [items[last], items[other]] = [items[other], items[last]];
    }
    return items;
  }
}

/** The low half of `(value ^ (value >> 18)) >> 27`. @param {number} high @param {number} low */
function foldRight18(high, low) {
  const folded = foldRight(wide(high, low), 18);
  return ((folded.low >>> 27) | (folded.high << 5)) >>> 0;
}
