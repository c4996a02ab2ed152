package amazons_test

import (
	"slices"
	"testing"

	"judgebot/amazons"
	"judgebot/internal/golden"
)

// mostLeaves are counted; the larger numbers of the vectors take long.
const mostLeaves = 600_000

func TestRecordedRounds(t *testing.T) { golden.Replay(t, amazons.Game) }

func TestOrderOfMoves(t *testing.T) { golden.PlaysLikeRandom(t, amazons.Game) }

func TestPerft(t *testing.T) {
	type vector struct {
		Fen    string
		Counts []int
	}
	for _, each := range golden.Vectors[vector](t, "amazons", "perft") {
		for index, count := range each.Counts {
			if count > mostLeaves {
				continue
			}
			if found := golden.Perft(amazons.Game, amazons.ParseState(each.Fen), index+1); found != count {
				t.Errorf("%s: found %d, expected %d", each.Fen, found, count)
			}
		}
	}
}

func TestGames(t *testing.T) {
	type vector struct {
		Start, Final string
		Moves        []string
		Counts       []int `json:"legal_counts_before"`
		FinalCount   int   `json:"final_count"`
		Winner       *string
	}
	for _, each := range golden.Vectors[vector](t, "amazons", "game") {
		state := amazons.ParseState(each.Start)
		for index, text := range each.Moves {
			legal := golden.Legal(amazons.Game, state)
			if len(legal) != each.Counts[index] || !slices.Contains(legal, text) {
				t.Fatalf("%s: %d moves", text, len(legal))
			}
			state = amazons.Apply(state, amazons.ParseMove(text))
		}
		if found := amazons.FormatState(state); found != each.Final {
			t.Errorf("found %s, expected %s", found, each.Final)
		}
		check(t, state, each.FinalCount, each.Winner)
	}
}

func TestLegality(t *testing.T) {
	type vector struct {
		Fen, Move, What string
		Legal           bool
	}
	for _, each := range golden.Vectors[vector](t, "amazons", "legality") {
		legal := golden.Legal(amazons.Game, amazons.ParseState(each.Fen))
		if slices.Contains(legal, each.Move) != each.Legal {
			t.Error(each.What)
		}
	}
}

func TestPositions(t *testing.T) {
	type vector struct {
		Fen    string
		Count  int
		Winner *string
	}
	for _, each := range golden.Vectors[vector](t, "amazons", "position") {
		check(t, amazons.ParseState(each.Fen), each.Count, each.Winner)
	}
}

func check(t *testing.T, state amazons.State, count int, winner *string) {
	t.Helper()
	expected := 0
	if winner != nil {
		expected = map[string]int{"w": 1, "b": 2}[*winner]
	}
	if found := amazons.Result(state); found != expected || len(amazons.LegalMoves(state)) != count {
		t.Errorf("result %d, expected %d", found, expected)
	}
}
