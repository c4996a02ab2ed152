package judgebot

import "math/bits"

const multiplier = 6364136223846793005

// Random is a reproducible stream of random numbers, the same in every kit and in the referee:
// PCG-XSH-RR 64/32, seeded by SplitMix64, as judge/docs/determinism.md describes it.
type Random struct {
	state, increment uint64
}

// NewRandom starts one of the independent streams of a seed.
func NewRandom(seed, stream uint64) *Random {
	increment := stream<<1 | 1
	random := &Random{splitMix(seed, stream+1) + increment, increment}
	random.Next()
	return random
}

// splitMix is output number n of SplitMix64 started at the seed.
func splitMix(seed, n uint64) uint64 {
	mixed := seed + n*0x9e3779b97f4a7c15
	mixed = (mixed ^ mixed>>30) * 0xbf58476d1ce4e5b9
	mixed = (mixed ^ mixed>>27) * 0x94d049bb133111eb
	return mixed ^ mixed>>31
}

// Next gives the next 32 random bits.
func (random *Random) Next() uint32 {
	old := random.state
	random.state = old*multiplier + random.increment
	return bits.RotateLeft32(uint32((old>>18^old)>>27), -int(old>>59))
}

// Below gives a uniform number from 0 to bound - 1.
func (random *Random) Below(bound int) int {
	reject := uint32((1 << 32) % uint64(bound))
	for {
		if drawn := random.Next(); drawn >= reject {
			return int(drawn % uint32(bound))
		}
	}
}

// Choice gives an element of a list, each as likely as the others.
func Choice[T any](random *Random, items []T) T {
	return items[random.Below(len(items))]
}

// Shuffle shuffles a list in place: Fisher–Yates from its last element down.
func Shuffle[T any](random *Random, items []T) {
	for last := len(items) - 1; last > 0; last-- {
		other := random.Below(last + 1)
		items[last], items[other] = items[other], items[last]
	}
}
