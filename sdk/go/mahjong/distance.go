package mahjong

const (
	// mostSets is the number of melds and partners that count.
	mostSets = 4
	// entries of a profile: up to four melds, with and without a pair.
	entries = 2 * (mostSets + 1)
	// mostKept is the number of suits whose profiles are kept; a bot's memory is small.
	mostKept = 4096
	// none says that there is no such way.
	none = -1
)

// profile is the most partners of a suit, by 2 * melds + pair.
type profile [entries]int8

// suit is the number of tiles of each rank.
type suit [Ranks]uint8

// parts are tiles taken from the lowest rank on, and the entries and partners that they add.
var parts = []struct {
	tiles    []uint8
	entry    int
	partners int8
}{
	{[]uint8{3}, 2, 0},
	{[]uint8{1, 1, 1}, 2, 0},
	{[]uint8{2}, 1, 0},
	{[]uint8{2}, 0, 1},
	{[]uint8{1, 1}, 0, 1},
	{[]uint8{1, 0, 1}, 0, 1},
	{[]uint8{1}, 0, 0},
}

// kept has profiles that were worked out before.
var kept = make(map[suit]profile)

// profileOf is the profile of tiles of one suit.
func profileOf(counts suit) profile {
	found, ok := kept[counts]
	if ok {
		return found
	}
	found = takenApart(counts)
	if len(kept) >= mostKept {
		kept = make(map[suit]profile)
	}
	kept[counts] = found
	return found
}

func emptyProfile() profile {
	var best profile
	for entry := range best {
		best[entry] = none
	}
	return best
}

func takenApart(counts suit) profile {
	best := emptyProfile()
	lowest := 0
	for lowest < Ranks && counts[lowest] == 0 {
		lowest++
	}
	if lowest == Ranks {
		best[0] = 0
		return best
	}
	for _, part := range parts {
		if rest, ok := counts.without(lowest, part.tiles); ok {
			best.improve(profileOf(rest), part.entry, part.partners)
		}
	}
	return best
}

// without gives the counts without these tiles; false if they are not there.
func (counts suit) without(lowest int, tiles []uint8) (suit, bool) {
	if lowest+len(tiles) > Ranks {
		return counts, false
	}
	for index, number := range tiles {
		if counts[lowest+index] < number {
			return counts, false
		}
		counts[lowest+index] -= number
	}
	return counts, true
}

// improve takes over a profile's entries together with one more part.
func (best *profile) improve(rest profile, entry int, partners int8) {
	for from := 0; from+entry < entries; from++ {
		isSecondPair := entry&from&1 == 1
		if rest[from] == none || isSecondPair || rest[from]+partners <= best[from+entry] {
			continue
		}
		best[from+entry] = rest[from] + partners
	}
}

// joined is the profile of two suits together.
func joined(one, other profile) profile {
	best := emptyProfile()
	for entry, partners := range one {
		if partners != none {
			best.improve(other, entry, partners)
		}
	}
	return best
}

func ordinary(hand *Hand) int {
	all := profileOf(suit(hand[:Ranks]))
	all = joined(all, profileOf(suit(hand[Ranks:2*Ranks])))
	all = joined(all, profileOf(suit(hand[2*Ranks:])))
	best := 0
	for entry, found := range all {
		melds, partners := entry/2, int(found)
		if partners > mostSets-melds {
			partners = mostSets - melds
		}
		if worth := 2*melds + partners + entry%2; found != none && worth > best {
			best = worth
		}
	}
	return 8 - best
}

// Distance of a hand of 13 or 14 tiles to ready: 8 - 2 melds - partners - pair over the best way to
// take it apart, or 6 - pairs; 0 is ready, -1 has won.
func Distance(hand Hand) int {
	asPairs := 6
	for _, count := range hand {
		asPairs -= int(count / 2)
	}
	if asOrdinary := ordinary(&hand); asOrdinary < asPairs {
		return asOrdinary
	}
	return asPairs
}

// UsefulTiles lists the tiles that bring a hand one step nearer, without those of which it has all
// four.
func UsefulTiles(hand Hand) []int {
	now := Distance(hand)
	var useful []int
	for tile, count := range hand {
		if count < Copies && Distance(hand.With(tile)) < now {
			useful = append(useful, tile)
		}
	}
	return useful
}
