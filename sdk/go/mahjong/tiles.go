package mahjong

import (
	"strconv"
	"strings"
)

const (
	// Kinds of tiles. A tile is a number: 0 to 8 are bamboo 1 to 9, then characters, then dots.
	Kinds = 27
	// Copies is the number of tiles of each kind.
	Copies = 4
	// Ranks in a suit.
	Ranks = 9
	// suits are the letters of the suits.
	suits = "bcd"
)

// Hand is the number of each tile that it holds.
type Hand [Kinds]uint8

// ParseTile reads a tile such as `3b`.
func ParseTile(text string) int {
	return Ranks*strings.IndexByte(suits, text[1]) + int(text[0]-'1')
}

// FormatTile writes a tile.
func FormatTile(tile int) string {
	return strconv.Itoa(RankOf(tile)) + suits[SuitOf(tile):SuitOf(tile)+1]
}

// RankOf is the rank of a tile, 1 to 9.
func RankOf(tile int) int {
	return tile%Ranks + 1
}

// SuitOf is the suit of a tile: 0 bamboo, 1 characters, 2 dots.
func SuitOf(tile int) int {
	return tile / Ranks
}

// ParseHand reads a hand such as `1478b122367c1389d`.
func ParseHand(text string) Hand {
	var hand Hand
	var ranks []byte
	for _, letter := range []byte(text) {
		suit := strings.IndexByte(suits, letter)
		if suit < 0 {
			ranks = append(ranks, letter)
			continue
		}
		for _, rank := range ranks {
			hand[Ranks*suit+int(rank-'1')]++
		}
		ranks = ranks[:0]
	}
	return hand
}

// FormatHand writes a hand.
func FormatHand(hand Hand) string {
	var text strings.Builder
	for suit := 0; suit < len(suits); suit++ {
		length := text.Len()
		for _, tile := range hand.Tiles() {
			if SuitOf(tile) == suit {
				text.WriteString(strconv.Itoa(RankOf(tile)))
			}
		}
		if text.Len() > length {
			text.WriteByte(suits[suit])
		}
	}
	return text.String()
}

// Tiles lists the tiles of a hand, repeated by their number.
func (hand *Hand) Tiles() []int {
	var tiles []int
	for tile, count := range hand {
		for ; count > 0; count-- {
			tiles = append(tiles, tile)
		}
	}
	return tiles
}

// With gives the hand with one more tile.
func (hand Hand) With(tile int) Hand {
	hand[tile]++
	return hand
}

// Without gives the hand with one tile less.
func (hand Hand) Without(tile int) Hand {
	hand[tile]--
	return hand
}
