package agamemnon_test

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"testing"

	"judgebot/agamemnon"
	"judgebot/internal/golden"
)

// all is more than the moves of any turn.
const all = 1_000_000

func at(tiles, edges, drawn string) agamemnon.State {
	if tiles == "" {
		tiles = "-"
	}
	if drawn == "" {
		drawn = "-"
	}
	return agamemnon.ParseState(drawn + " " + tiles + " " + edges)
}

func legal(state agamemnon.State) []string {
	var texts []string
	for _, move := range agamemnon.LegalMovesUpTo(state, all) {
		texts = append(texts, agamemnon.FormatMove(move))
	}
	return texts
}

func TestRecordedRounds(t *testing.T) { golden.Replay(t, agamemnon.Game) }

func TestScores(t *testing.T) {
	type touched struct {
		Type   string
		Edges  []string
		Winner *string
		Points int
	}
	type vector struct {
		ID, Tiles, Edges string
		Scores           [2]int
		Strings          *[]touched `json:"strings_touched"`
	}
	compared := 0
	for _, each := range golden.Vectors[vector](t, "agamemnon", "score") {
		state := at(each.Tiles, each.Edges, "")
		if found := agamemnon.Score(state); found != each.Scores {
			t.Errorf("%s: found %v, expected %v", each.ID, found, each.Scores)
		}
		if each.Strings == nil {
			continue
		}
		var expected []string
		for _, string := range *each.Strings {
			winner := "-"
			if string.Winner != nil {
				winner = *string.Winner
			}
			sort.Strings(string.Edges)
			expected = append(expected, fmt.Sprint(string.Type, string.Edges, winner, string.Points))
		}
		sort.Strings(expected)
		if found := tell(state); !reflect.DeepEqual(found, expected) {
			t.Errorf("%s: found %v, expected %v", each.ID, found, expected)
		}
		compared++
	}
	if compared < 10 {
		t.Error(compared)
	}
}

// tell gives the strings in the form of the vectors.
func tell(state agamemnon.State) []string {
	var told []string
	for _, each := range agamemnon.Strings(state) {
		var edges []string
		for _, edge := range each.Edges {
			ends := state.Board.Ends[edge]
			edges = append(edges, fmt.Sprintf("%02d%02d", ends[0], ends[1]))
		}
		sort.Strings(edges)
		told = append(told, fmt.Sprint(string(each.Type), edges, "-OB"[each.Winner:each.Winner+1], len(edges)))
	}
	sort.Strings(told)
	return told
}

func TestGames(t *testing.T) {
	type vector struct {
		Edges      string
		Actions    []string
		Scores     [2]int
		FinalTiles string `json:"final_tiles"`
		FinalEdges string `json:"final_edges"`
	}
	for _, each := range golden.Vectors[vector](t, "agamemnon", "game") {
		state := at("", each.Edges, "")
		for _, text := range each.Actions {
			move := agamemnon.ParseMove(text)
			state.Question, state.Drawn = "move", drawnFor(move)
			if !slices.Contains(legal(state), text) {
				t.Fatalf("%s is not listed", text)
			}
			state = agamemnon.Apply(state, move)
		}
		if found := agamemnon.FormatState(state); found != "- "+each.FinalTiles+" "+each.FinalEdges {
			t.Error(found)
		}
		if agamemnon.Score(state) != each.Scores || agamemnon.Result(state) == 0 {
			t.Error(agamemnon.Score(state))
		}
	}
}

func drawnFor(move agamemnon.Move) string {
	drawn := ""
	for _, placement := range move.Placements {
		drawn += string(placement.Kind)
	}
	return drawn
}

func TestActions(t *testing.T) {
	type vector struct {
		ID, Tiles, Edges, Action string
		TilesAfter               string `json:"tiles_after"`
		EdgesAfter               string `json:"edges_after"`
	}
	for _, each := range golden.Vectors[vector](t, "agamemnon", "apply") {
		state := agamemnon.Apply(at(each.Tiles, each.Edges, ""), agamemnon.ParseMove(each.Action))
		if found := agamemnon.FormatState(state); found != "- "+each.TilesAfter+" "+each.EdgesAfter {
			t.Errorf("%s: %s", each.ID, found)
		}
	}
}

func TestNumbersOfActions(t *testing.T) {
	type vector struct {
		ID, Tiles, Edges, Drawn string
		Actions                 int `json:"action_strings"`
	}
	for _, each := range golden.Vectors[vector](t, "agamemnon", "action_count") {
		found := legal(at(each.Tiles, each.Edges, each.Drawn))
		count := len(found)
		sort.Strings(found)
		if count != each.Actions || len(slices.Compact(found)) != count {
			t.Errorf("%s: found %d, expected %d", each.ID, count, each.Actions)
		}
	}
}

func TestPerft(t *testing.T) {
	type vector struct {
		ID, Tiles, Edges string
		Draws            []string
		Counts           []int
	}
	for _, each := range golden.Vectors[vector](t, "agamemnon", "perft") {
		for index, count := range each.Counts {
			if count > 100_000 {
				continue
			}
			found := perft(at(each.Tiles, each.Edges, ""), each.Draws[:index+1])
			if found != count {
				t.Errorf("%s: found %d, expected %d", each.ID, found, count)
			}
		}
	}
}

func perft(state agamemnon.State, draws []string) int {
	state.Question, state.Drawn = "move", draws[0]
	moves := agamemnon.LegalMovesUpTo(state, all)
	if len(draws) == 1 {
		return len(moves)
	}
	count := 0
	for _, move := range moves {
		count += perft(agamemnon.Apply(state, move), draws[1:])
	}
	return count
}

func TestBags(t *testing.T) {
	type vector struct {
		Tiles, Player string
		Bag           map[string]int
	}
	for _, each := range golden.Vectors[vector](t, "agamemnon", "draw") {
		state := at(each.Tiles, agamemnon.StandardEdges, "")
		seat := map[string]int{"O": 1, "B": 2}[each.Player]
		if agamemnon.Turn(state) != seat {
			t.Error(each.Tiles)
		}
		for kind, count := range agamemnon.Bag(state, seat) {
			if each.Bag[string(kind)] != count {
				t.Errorf("%c: %d", kind, count)
			}
		}
	}
}

func TestLegality(t *testing.T) {
	type vector struct {
		ID, Tiles, Edges, Action string
		Valid                    bool
	}
	for _, each := range golden.Vectors[vector](t, "agamemnon", "action_valid") {
		kinds := kindsOf(each.Action)
		state := at(each.Tiles, each.Edges, kinds)
		found := canBeDrawn(state, kinds) && slices.Contains(legal(state), each.Action)
		if found != each.Valid {
			t.Errorf("%s: %s", each.ID, each.Action)
		}
	}
}

// kindsOf has the kinds of an action that may be cut off in the middle of a placement.
func kindsOf(text string) (kinds string) {
	defer func() {
		if recover() != nil {
			kinds = ""
		}
	}()
	return drawnFor(agamemnon.ParseMove(text))
}

// canBeDrawn is true if the judge could draw these tiles now.
func canBeDrawn(state agamemnon.State, kinds string) bool {
	left := agamemnon.Bag(state, agamemnon.Turn(state))
	for index := range kinds {
		if left[kinds[index]]--; left[kinds[index]] < 0 {
			return false
		}
	}
	return len(kinds) == agamemnon.TilesInTurn(state)
}

func TestWeaversMayBePutBack(t *testing.T) {
	state := agamemnon.Ask(at("", agamemnon.StandardEdges, ""), []string{"redraw?", "i"})
	if found := legal(state); !reflect.DeepEqual(found, []string{"no", "yes"}) {
		t.Error(found)
	}
	if after := agamemnon.Apply(state, agamemnon.Yes); after.Tiles != "" || after.Question != "" {
		t.Error(after)
	}
}
