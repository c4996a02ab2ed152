package cc_test

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"judgebot"
	"judgebot/cc"
	"judgebot/internal/golden"
	"judgebot/mailbox"
)

// position is a position in the form of the vectors.
type position struct {
	ID         string
	Size, Turn int
	P1, P2     [][2]int
}

func (each position) state() cc.State {
	cells := make([]string, each.Size*each.Size)
	for index := range cells {
		cells[index] = "00"
	}
	for _, square := range each.P1 {
		cells[square[0]*each.Size+square[1]] = "01"
	}
	for _, square := range each.P2 {
		cells[square[0]*each.Size+square[1]] = "11"
	}
	return cc.ParseState(fmt.Sprint(each.Turn-1) + strings.Join(cells, ""))
}

func resultOf(text *string) int {
	if text == nil {
		return judgebot.Open
	}
	return map[string]int{"1": 1, "2": 2, "draw": judgebot.Draw}[*text]
}

// withCapture is a move in the form of the vectors, with the captured man.
func withCapture(state cc.State, move cc.Move) string {
	taken := cc.Captured(state, move)
	if taken == 0 {
		return cc.FormatMove(move)
	}
	return fmt.Sprintf("%s x%d,%d", cc.FormatMove(move), mailbox.RowOf(taken), mailbox.ColumnOf(taken))
}

func TestRecordedRounds(t *testing.T) { golden.Replay(t, cc.Game) }

func TestOrderOfMoves(t *testing.T) { golden.PlaysLikeRandom(t, cc.Game) }

func TestMoves(t *testing.T) {
	type vector struct {
		position
		Result   *string
		Paths    int `json:"path_count"`
		Outcomes int `json:"outcome_count"`
		Moves    []string
	}
	for _, each := range golden.Vectors[vector](t, "cc", "moves") {
		state := each.state()
		if found := cc.Result(state); found != resultOf(each.Result) {
			t.Errorf("%s: result %d", each.ID, found)
		}
		// The vectors list moves of finished positions too, which cannot be played.
		if each.Result != nil {
			continue
		}
		var texts []string
		outcomes := make(map[[3]int]bool)
		for _, move := range cc.LegalMoves(state) {
			texts = append(texts, withCapture(state, move))
			outcomes[[3]int{move.Path[0], move.Path[len(move.Path)-1], cc.Captured(state, move)}] = true
		}
		if len(texts) != each.Paths || len(outcomes) != each.Outcomes {
			t.Errorf("%s: %d moves, %d outcomes", each.ID, len(texts), len(outcomes))
		}
		sort.Strings(texts)
		sort.Strings(each.Moves)
		if each.Moves != nil && !reflect.DeepEqual(texts, each.Moves) {
			t.Errorf("%s: %v", each.ID, texts)
		}
	}
}

func TestGames(t *testing.T) {
	type vector struct {
		Size   int
		Moves  []string
		Final  position
		Result *string
	}
	for _, each := range golden.Vectors[vector](t, "cc", "game") {
		line := fmt.Sprintf("game cc seat 1 size=%d opening=0 max_plies=1000", each.Size)
		state := cc.Start(judgebot.ReadGreeting(strings.Split(line, " ")))
		for _, text := range each.Moves {
			if !slices.Contains(golden.Legal(cc.Game, state), text) {
				t.Fatalf("%s is not listed", text)
			}
			state = cc.Apply(state, cc.ParseMove(text))
		}
		if cc.FormatState(state) != cc.FormatState(each.Final.state()) {
			t.Errorf("%s", cc.FormatState(state))
		}
		if found := cc.Result(state); found != resultOf(each.Result) {
			t.Errorf("result %d", found)
		}
	}
}

func TestPerft(t *testing.T) {
	type vector struct {
		position
		Paths []int
	}
	for _, each := range golden.Vectors[vector](t, "cc", "perft") {
		for index, count := range each.Paths {
			if found := golden.Perft(cc.Game, each.state(), index+1); found != count {
				t.Errorf("%s: found %d, expected %d", each.ID, found, count)
			}
		}
	}
}

func TestLegality(t *testing.T) {
	type vector struct {
		position
		Path, What string
		Legal      bool
		Captured   *[2]int
	}
	for _, each := range golden.Vectors[vector](t, "cc", "legality") {
		state := each.state()
		if slices.Contains(golden.Legal(cc.Game, state), each.Path) != each.Legal {
			t.Error(each.What)
		}
		if each.Captured != nil {
			expected := mailbox.SquareAt(each.Captured[0], each.Captured[1])
			if found := cc.Captured(state, cc.ParseMove(each.Path)); found != expected {
				t.Errorf("%s: took %d", each.What, found)
			}
		}
	}
}

func TestNoMoreMovesThanAskedFor(t *testing.T) {
	state := golden.Vectors[position](t, "cc", "perft")[0].state()
	if found := len(cc.LegalMovesUpTo(state, 5)); found != 5 {
		t.Error(found)
	}
}
