package patchwork_test

import (
	"reflect"
	"strings"
	"testing"

	"judgebot/internal/golden"
	"judgebot/patchwork"
)

const mostLeaves = 100_000

// told has a position's fields in the vectors.
type told struct {
	Over           bool
	ToMove         *int `json:"to_move"`
	Time, Buttons  [2]int
	Income, Scores [2]int
	Offered        []string
	Pending        bool `json:"special_pending"`
	FirstAtEnd     *int `json:"first_at_end"`
	Winner         *int
	Boards         []string
}

func orNil(number int) *int {
	if number == 0 {
		return nil
	}
	return &number
}

func board(quilt *patchwork.Quilt) string {
	var rows []string
	for row := 0; row < patchwork.Size; row++ {
		var text strings.Builder
		for column := 0; column < patchwork.Size; column++ {
			if quilt.IsCovered(column, row) {
				text.WriteByte('#')
			} else {
				text.WriteByte('.')
			}
		}
		rows = append(rows, text.String())
	}
	return strings.Join(rows, "/")
}

func tell(state patchwork.State) told {
	found := told{
		Over: patchwork.IsOver(state), Scores: patchwork.Score(state), Pending: state.Pending,
		FirstAtEnd: orNil(state.FirstAtEnd), Winner: orNil(patchwork.Result(state)), Offered: []string{},
	}
	if !found.Over {
		found.ToMove = &state.Turn
	}
	for index := range state.Sides {
		side := &state.Sides[index]
		found.Time[index], found.Buttons[index], found.Income[index] = side.Time, side.Buttons, side.Income
		found.Boards = append(found.Boards, board(&side.Quilt))
	}
	for _, patch := range patchwork.Offer(state) {
		found.Offered = append(found.Offered, string(patch.Letter))
	}
	return found
}

func compare(t *testing.T, state patchwork.State, expected told) {
	t.Helper()
	found := tell(state)
	if expected.Boards == nil {
		found.Boards = nil
	}
	if !reflect.DeepEqual(found, expected) {
		t.Errorf("found %+v, expected %+v", found, expected)
	}
}

func at(circle, placement string) patchwork.State {
	if placement == "" {
		placement = "-"
	}
	return patchwork.ParseState(circle + " " + placement)
}

// isLegal is true if a move is listed, in any spelling of its orientation.
func isLegal(state patchwork.State, move patchwork.Move) bool {
	for _, listed := range patchwork.LegalMoves(state) {
		if listed == move {
			return true
		}
		if listed.Patch != move.Patch || listed.Column != move.Column || listed.Row != move.Row {
			continue
		}
		shapes := patchwork.PatchOf(move.Patch).Shapes
		if shapes[listed.Orientation].LooksLike(&shapes[move.Orientation]) {
			return true
		}
	}
	return false
}

func TestRecordedRounds(t *testing.T) { golden.Replay(t, patchwork.Game) }

func TestOrderOfMoves(t *testing.T) { golden.PlaysLikeRandom(t, patchwork.Game) }

func TestReplays(t *testing.T) {
	type vector struct {
		Circle, Placement string
		Expect            told
	}
	for _, each := range golden.Vectors[vector](t, "patchwork", "replay") {
		compare(t, at(each.Circle, each.Placement), each.Expect)
		state := at(each.Circle, "")
		for _, move := range patchwork.ParseMoves(each.Placement) {
			if !isLegal(state, move) {
				t.Fatalf("%s: %s", each.Placement, patchwork.FormatMove(move))
			}
			state = patchwork.Apply(state, move)
		}
	}
}

func TestIllegalMoves(t *testing.T) {
	type vector struct {
		Circle, Placement, Reason string
		First                     int `json:"first_illegal_index"`
	}
	for _, each := range golden.Vectors[vector](t, "patchwork", "illegal") {
		state := at(each.Circle, "")
		moves := patchwork.ParseMoves(each.Placement)
		for _, move := range moves[:each.First] {
			state = patchwork.Apply(state, move)
		}
		if isLegal(state, moves[each.First]) {
			t.Error(each.Reason)
		}
	}
}

func TestEdgeCases(t *testing.T) {
	type vector struct {
		Circle, Placement, Token, What string
		Legal                          bool
		After                          *told
	}
	for _, each := range golden.Vectors[vector](t, "patchwork", "token") {
		state, move := at(each.Circle, each.Placement), patchwork.ParseMove(each.Token)
		if isLegal(state, move) != each.Legal {
			t.Error(each.What)
		}
		if each.After != nil {
			compare(t, patchwork.Apply(state, move), *each.After)
		}
	}
}

func TestNumbersOfMoves(t *testing.T) {
	type vector struct {
		Circle, Placement string
		ToMove            int `json:"to_move"`
		Legal             int `json:"legal_canonical"`
	}
	for _, each := range golden.Vectors[vector](t, "patchwork", "moves") {
		state := at(each.Circle, each.Placement)
		if found := len(patchwork.LegalMoves(state)); found != each.Legal || state.Turn != each.ToMove {
			t.Errorf("%s: %d", each.Placement, found)
		}
	}
}

func TestPerft(t *testing.T) {
	type vector struct {
		Circle, Placement string
		Counts            []int
	}
	for _, each := range golden.Vectors[vector](t, "patchwork", "perft") {
		for index, count := range each.Counts {
			if count > mostLeaves {
				continue
			}
			state := at(each.Circle, each.Placement)
			if found := golden.Perft(patchwork.Game, state, index+1); found != count {
				t.Errorf("%s: found %d, expected %d", each.Placement, found, count)
			}
		}
	}
}

func TestBlocks(t *testing.T) {
	quilt := patchwork.Quilt{0, 254, 254, 254, 254, 254, 254, 254, 0}
	if !quilt.HasBlock() {
		t.Error("a block")
	}
	quilt[7] = 126
	if quilt.HasBlock() {
		t.Error("no block")
	}
}
