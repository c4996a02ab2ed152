package agamemnon

import (
	"strings"

	"judgebot"
)

const (
	// Weft is the kind that separates strings.
	Weft = 'i'
	// Warp is the kind that exchanges the types of two edges.
	Warp = 'j'
	// AllTiles is the number of tiles that are placed in a game.
	AllTiles = 30
	// kinds is the number of kinds of tiles, `a` to `j`.
	kinds = 10
	// seats are the letters of the seats.
	seats = " OB"
)

// supply is the number of tiles of each kind that a side has.
var supply = [kinds]int{1, 1, 1, 1, 1, 3, 2, 1, 2, 2}

// strengths of the kinds.
var strengths = [kinds]int{1, 3, 4, 3, 2, 1, 2, 3, 0, 0}

// Strength of a kind.
func Strength(kind byte) int {
	return strengths[kind-'a']
}

// Placement is a tile that is placed; a Warp exchanges the types of the edges to the nodes X and Y,
// which are -1 with other kinds.
type Placement struct {
	Seat       int
	Kind       byte
	Node, X, Y int
}

// ParsePlacements reads placements that follow each other without a space.
func ParsePlacements(text string) []Placement {
	var placements []Placement
	for len(text) > 0 {
		length := 4
		if text[1] == Warp {
			length = 8
		}
		placements = append(placements, parsePlacement(text[:length]))
		text = text[length:]
	}
	return placements
}

func parsePlacement(text string) Placement {
	seat := strings.IndexByte(seats, text[0])
	placement := Placement{Seat: seat, Kind: text[1], Node: judgebot.Number(text[2:4]), X: -1, Y: -1}
	if len(text) == 8 {
		placement.X, placement.Y = judgebot.Number(text[4:6]), judgebot.Number(text[6:8])
	}
	return placement
}

// FormatPlacement writes a placement such as `Ob10`, a Warp as `Oj151020`.
func FormatPlacement(placement Placement) string {
	if placement.Kind != Warp {
		return FormatTile(placement)
	}
	return FormatTile(placement) + formatNode(placement.X) + formatNode(placement.Y)
}

// FormatTile writes a tile and its node, as in the tile string.
func FormatTile(placement Placement) string {
	return string([]byte{seats[placement.Seat], placement.Kind}) + formatNode(placement.Node)
}
