package mahjong

// winning is the number of tiles of a hand that can win.
const winning = 14

// Rules of a testcase.
type Rules struct {
	// VoidSuit is true if a winning hand uses at most two suits.
	VoidSuit bool
	// Factors of four triplets and a pair, of one suit, of seven pairs, of each four equal tiles.
	AllTriplets, FullFlush, SevenPairs, Root int
}

// DefaultRules are the rules where a testcase says nothing else.
var DefaultRules = Rules{AllTriplets: 2, FullFlush: 4, SevenPairs: 4, Root: 2}

// Win is the worth of a winning hand, and the reasons for it.
type Win struct {
	// Faan is the product of all factors.
	Faan int
	// SevenPairs is true if the hand counts as seven pairs.
	SevenPairs bool
	// AllTriplets is true if it counts as four triplets and a pair.
	AllTriplets bool
	// FullFlush is true if all tiles are of one suit.
	FullFlush bool
	// Roots is the number of tiles that are there four times.
	Roots int
}

// Faan of a hand of 14 tiles; 0 when it does not win.
func Faan(hand Hand, rules Rules) int {
	win, _ := WinOf(hand, rules)
	return win.Faan
}

// FaanWith is Faan of a hand of 13 tiles and one more; 0 when they do not win.
func FaanWith(hand Hand, tile int, rules Rules) int {
	if hand[tile] >= Copies {
		return 0
	}
	return Faan(hand.With(tile), rules)
}

// RoundScore is the score of a round for its winner, from Faan and the tiles left in the wall.
func RoundScore(faan, wallLeft int) int {
	if faan == 0 {
		return 0
	}
	return 3*faan + wallLeft
}

// WinOf is the worth of a hand in its best reading; false if it does not win.
func WinOf(hand Hand, rules Rules) (Win, bool) {
	length, used, isOrdinary := 0, 0, true
	for at := 0; at < Kinds; at += Ranks {
		suit := hand[at : at+Ranks]
		tiles := sum(suit)
		length += tiles
		if tiles > 0 {
			used++
		}
		isOrdinary = isOrdinary && tiles%3 != 1 && isSuit(suit)
	}
	isPairs := hand.isPairs()
	if length != winning || rules.VoidSuit && used == 3 || !isPairs && !isOrdinary {
		return Win{}, false
	}
	return bestReading(&hand, rules, isPairs, isOrdinary, used == 1), true
}

func (hand *Hand) isPairs() bool {
	for _, count := range hand {
		if count%2 == 1 {
			return false
		}
	}
	return true
}

func bestReading(hand *Hand, rules Rules, isPairs, isOrdinary, fullFlush bool) Win {
	win := Win{FullFlush: fullFlush, Roots: hand.having(Copies)}
	asPairs, asOrdinary := 0, 0
	if isPairs {
		asPairs = rules.SevenPairs
	}
	if isOrdinary {
		asOrdinary = 1
		if hand.having(2) == 1 && hand.having(1) == 0 && hand.having(Copies) == 0 {
			asOrdinary, win.AllTriplets = rules.AllTriplets, true
		}
	}
	win.Faan = asOrdinary
	if asPairs > asOrdinary {
		win.Faan, win.SevenPairs, win.AllTriplets = asPairs, true, false
	}
	if fullFlush {
		win.Faan *= rules.FullFlush
	}
	for root := 0; root < win.Roots; root++ {
		win.Faan *= rules.Root
	}
	return win
}

// having is the number of kinds of which the hand has this count.
func (hand *Hand) having(number uint8) int {
	found := 0
	for _, count := range hand {
		if count == number {
			found++
		}
	}
	return found
}

func sum(counts []uint8) int {
	total := 0
	for _, count := range counts {
		total += int(count)
	}
	return total
}

// isSuit is true if the tiles of a suit are melds, with a pair if their number asks for one.
func isSuit(suit []uint8) bool {
	var counts [Ranks]uint8
	copy(counts[:], suit)
	if sum(suit)%3 == 0 {
		return isMelds(counts)
	}
	for rank, count := range counts {
		if count < 2 {
			continue
		}
		rest := counts
		rest[rank] -= 2
		if isMelds(rest) {
			return true
		}
	}
	return false
}

// isMelds is true for triplets and sequences: at the lowest rank, no triplet means sequences.
func isMelds(counts [Ranks]uint8) bool {
	for rank := range counts {
		sequences := counts[rank] % 3
		if sequences == 0 {
			continue
		}
		if rank+2 >= Ranks || counts[rank+1] < sequences || counts[rank+2] < sequences {
			return false
		}
		counts[rank+1] -= sequences
		counts[rank+2] -= sequences
	}
	return true
}

// Waits lists the tiles that complete a hand of 13.
func Waits(hand Hand, rules Rules) []int {
	var tiles []int
	for tile := 0; tile < Kinds; tile++ {
		if FaanWith(hand, tile, rules) > 0 {
			tiles = append(tiles, tile)
		}
	}
	return tiles
}
