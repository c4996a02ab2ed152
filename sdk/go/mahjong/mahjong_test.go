package mahjong_test

import (
	"reflect"
	"strings"
	"testing"

	"judgebot/internal/golden"
	"judgebot/mahjong"
)

func rules(voidSuit bool) mahjong.Rules {
	switches := mahjong.DefaultRules
	switches.VoidSuit = voidSuit
	return switches
}

// patterns by the names of the vectors.
func patterns(win mahjong.Win) []string {
	found := []string{}
	if win.FullFlush {
		found = append(found, "Full Flush")
	}
	if win.AllTriplets {
		found = append(found, "All Triplets")
	}
	if win.SevenPairs {
		found = append(found, "Seven Pairs")
	}
	return found
}

func format(tiles []int) []string {
	texts := []string{}
	for _, tile := range tiles {
		texts = append(texts, mahjong.FormatTile(tile))
	}
	return texts
}

func TestRecordedRounds(t *testing.T) { golden.Replay(t, mahjong.Game) }

func TestHands(t *testing.T) {
	type vector struct {
		Hand               string
		Tiles, Faan, Roots int
		VoidSuit           int `json:"faan_void_suit"`
		Form               *string
		Patterns           []string
	}
	for _, each := range golden.Vectors[vector](t, "mahjong", "hand") {
		hand := mahjong.ParseHand(each.Hand)
		win, wins := mahjong.WinOf(hand, rules(false))
		if win.Faan != each.Faan || mahjong.Faan(hand, rules(true)) != each.VoidSuit {
			t.Errorf("%s: %d", each.Hand, win.Faan)
		}
		if wins != (each.Form != nil) || wins && win.SevenPairs != (*each.Form == "seven pairs") {
			t.Errorf("%s: form", each.Hand)
		}
		if !reflect.DeepEqual(patterns(win), each.Patterns) || win.Roots != each.Roots {
			t.Errorf("%s: %+v", each.Hand, win)
		}
		if len(hand.Tiles()) != each.Tiles {
			t.Errorf("%s: %d tiles", each.Hand, len(hand.Tiles()))
		}
	}
}

func TestWaits(t *testing.T) {
	type vector struct {
		Hand     string
		VoidSuit bool `json:"void_suit"`
		Waits    []string
		Faan     map[string]int
	}
	for _, each := range golden.Vectors[vector](t, "mahjong", "waits") {
		hand := mahjong.ParseHand(each.Hand)
		found := mahjong.Waits(hand, rules(each.VoidSuit))
		if !reflect.DeepEqual(format(found), each.Waits) {
			t.Errorf("%s: %v", each.Hand, format(found))
		}
		for _, tile := range found {
			if mahjong.FaanWith(hand, tile, rules(each.VoidSuit)) != each.Faan[mahjong.FormatTile(tile)] {
				t.Errorf("%s: %s", each.Hand, mahjong.FormatTile(tile))
			}
		}
	}
}

func TestDistances(t *testing.T) {
	type vector struct {
		Hand     string
		Distance int
	}
	for _, each := range golden.Vectors[vector](t, "mahjong", "distance") {
		if found := mahjong.Distance(mahjong.ParseHand(each.Hand)); found != each.Distance {
			t.Errorf("%s: %d", each.Hand, found)
		}
	}
}

func TestUsefulTiles(t *testing.T) {
	for text, expected := range map[string]string{
		"1112345678999c":   "1c 2c 3c 4c 5c 6c 7c 8c 9c",
		"1111b456789c123d": "",
		"123b111c1145677d": "1d 7d",
	} {
		useful := mahjong.UsefulTiles(mahjong.ParseHand(text))
		if found := strings.Join(format(useful), " "); found != expected {
			t.Errorf("%s: %s", text, found)
		}
	}
}

func TestRoundScores(t *testing.T) {
	type vector struct {
		Faan     int
		WallLeft int `json:"wall_left"`
		Score    int `json:"round_score"`
	}
	for _, each := range golden.Vectors[vector](t, "mahjong", "round_score") {
		if found := mahjong.RoundScore(each.Faan, each.WallLeft); found != each.Score {
			t.Errorf("found %d, expected %d", found, each.Score)
		}
	}
}

func TestHandsAreWrittenAsTheyWereRead(t *testing.T) {
	for _, text := range []string{"1478b122367c1389d", "11112345678999c", ""} {
		if found := mahjong.FormatHand(mahjong.ParseHand(text)); found != text {
			t.Errorf("found %s, expected %s", found, text)
		}
	}
}

func TestEveryFactorCounts(t *testing.T) {
	switches := mahjong.Rules{AllTriplets: 3, FullFlush: 5, SevenPairs: 7, Root: 11}
	for text, expected := range map[string]int{
		"44455b111222333c": 3,
		"11133355577799c":  15,
		"11112222333344d":  5 * 7 * 11 * 11 * 11,
	} {
		if found := mahjong.Faan(mahjong.ParseHand(text), switches); found != expected {
			t.Errorf("%s: %d", text, found)
		}
	}
}
