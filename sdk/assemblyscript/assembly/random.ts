// Random numbers that are the same in every kit and in the referee: PCG-XSH-RR 64/32, seeded by
// SplitMix64, as `judge/docs/determinism.md` describes it.

/** Output number `n` of SplitMix64 started at the seed. */
function splitMix(seed: u64, n: u64): u64 {
  let mixed = seed + n * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

/** A reproducible stream of random numbers. */
export class Random {
  private state: u64;
  private increment: u64;

  /** One of the independent streams of a seed. */
  constructor(seed: u64 = 1, stream: u64 = 0) {
    this.increment = (stream << 1) | 1;
    this.state = splitMix(seed, stream + 1) + this.increment;
    this.next();
  }

  /** The next 32 random bits. */
  next(): u32 {
    const old = this.state;
    this.state = old * 6364136223846793005 + this.increment;
    return rotr<u32>(u32(((old >> 18) ^ old) >> 27), u32(old >> 59));
  }

  /** A uniform number from 0 to `bound - 1`; `bound` is at least 1. */
  below(bound: i32): i32 {
    const reject = u32((<u64>1 << 32) % <u64>bound);
    while (true) {
      const bits = this.next();
      if (bits >= reject) return i32(bits % <u32>bound);
    }
  }

  /** An element of a list, each as likely as the others. */
  choice<T>(items: T[]): T {
    return items[this.below(items.length)];
  }

  /** Shuffles a list in place: Fisher–Yates from its last element down. */
  shuffle<T>(items: T[]): T[] {
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      const item = items[last];
      items[last] = items[other];
      items[other] = item;
    }
    return items;
  }
}
