// Package agamemnon has Agamemnon. The rules: judge/games/src/agamemnon/README.md.
package agamemnon

import (
	"strings"

	"judgebot"
)

// MostListed is the number of moves that LegalMoves lists at most: two Warps can have more.
const MostListed = 65536

// Move is the placements of a turn, or Yes or No to putting a weaver back.
type Move struct {
	// Answer is `yes`, `no`, or empty.
	Answer string
	// Placements of a turn, in the order in which they happen.
	Placements []Placement
}

var (
	// Yes puts the weaver back.
	Yes = Move{Answer: "yes"}
	// No keeps the weaver.
	No = Move{Answer: "no"}
)

// State is a position, and everything else that the bot knows of the round.
type State struct {
	// Seat of the bot: 1 is O, 2 is B.
	Seat int
	// Board is the nodes and the edges between them.
	Board *Board
	// Types of the edges: `S`, `L`, `F` or `E`.
	Types []byte
	// Kinds of the tiles on the nodes, 0 for none.
	Kinds []byte
	// Owners of the tiles on the nodes, 0 for none.
	Owners []int
	// Tiles in the order in which they were placed, as text.
	Tiles string
	// Question is `move`, `redraw`, or empty when it is not the bot's turn.
	Question string
	// Drawn has the kinds to place at `move`, the weaver at `redraw`.
	Drawn string
	// LastMove is the move made last.
	LastMove Move
}

// Game is the game to pass to judgebot.Run.
var Game = judgebot.Game[State, Move]{
	Name: "agamemnon", Start: Start, Hear: Hear, Ask: Ask, LegalMoves: LegalMoves, Apply: Apply,
	Score: Score, Result: Result, FormatMove: FormatMove, ParseMove: ParseMove,
}

// Start makes the state before the board is known.
func Start(greeting judgebot.Greeting) State {
	return read(greeting.Seat, "-", "")
}

// read makes a state of a tile string, `-` for none, and an edge string.
func read(seat int, tiles, edges string) State {
	board, types := ParseEdges(edges)
	state := State{
		Seat: seat, Board: board, Types: types, Tiles: strings.TrimPrefix(tiles, "-"),
		Kinds: make([]byte, board.Nodes), Owners: make([]int, board.Nodes),
	}
	for at := 0; at < len(state.Tiles); at += 4 {
		node := judgebot.Number(state.Tiles[at+2 : at+4])
		state.Kinds[node] = state.Tiles[at+1]
		state.Owners[node] = strings.IndexByte(seats, state.Tiles[at])
	}
	return state
}

// Hear returns the state after a notice.
func Hear(state State, words []string) State {
	switch words[0] {
	case "edges":
		return read(state.Seat, "-", words[1])
	case "opponent":
		return Apply(state, ParseMove(words[1]))
	default:
		return state
	}
}

// Ask returns the state with a question.
func Ask(state State, words []string) State {
	if words[0] == "redraw?" {
		state.Question, state.Drawn = "redraw", words[1]
		return state
	}
	asked := read(state.Seat, words[2], words[3])
	asked.Question, asked.Drawn, asked.LastMove = "move", words[1], state.LastMove
	return asked
}

// ParseState reads `<drawn> <tiles> <edges>`, with `-` for nothing; the bot has the seat on turn.
func ParseState(text string) State {
	words := strings.Split(text, " ")
	state := read(1, words[1], words[2])
	state.Question, state.Drawn = "move", strings.TrimPrefix(words[0], "-")
	state.Seat = Turn(state)
	return state
}

// FormatState writes a position as the question does.
func FormatState(state State) string {
	edges := FormatEdges(state.Board, state.Types)
	return orNothing(state.Drawn) + " " + orNothing(state.Tiles) + " " + edges
}

func orNothing(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// ParseMove reads a move such as `Oj151020Of04`, `yes` or `no`; it panics at other text.
func ParseMove(text string) Move {
	switch text {
	case "yes":
		return Yes
	case "no":
		return No
	default:
		return Move{Placements: ParsePlacements(text)}
	}
}

// FormatMove writes a move as the judge reads it.
func FormatMove(move Move) string {
	text := move.Answer
	for _, placement := range move.Placements {
		text += FormatPlacement(placement)
	}
	return text
}

// Placed is the number of tiles that have been placed.
func Placed(state State) int {
	return len(state.Tiles) / 4
}

// Turn is the seat that places the next tile: O one, then B and O two each in turn.
func Turn(state State) int {
	return (Placed(state)+1)/2%2 + 1
}

// TilesInTurn is the number of tiles that the seat on turn draws: two, but one at the very start
// and at the end.
func TilesInTurn(state State) int {
	if placed := Placed(state); placed == 0 || placed == AllTiles-1 {
		return 1
	}
	return 2
}

// Bag is the number of tiles of each kind that a seat has not placed yet, including those just
// drawn.
func Bag(state State, seat int) map[byte]int {
	counts := make(map[byte]int)
	for index, count := range supply {
		counts['a'+byte(index)] = count
	}
	for node, owner := range state.Owners {
		if owner == seat {
			counts[state.Kinds[node]]--
		}
	}
	return counts
}

// Placements lists every way to place one tile of a kind; the first half of a move.
func Placements(state State, kind byte) []Placement {
	seat := Turn(state)
	var found []Placement
	for node, owner := range state.Owners {
		switch {
		case owner > 0:
		case kind == Warp:
			found = appendWarps(found, seat, node, state.Board.Neighbours[node])
		default:
			found = append(found, Placement{seat, kind, node, -1, -1})
		}
	}
	return found
}

func appendWarps(found []Placement, seat, node int, ends []int) []Placement {
	for _, x := range ends {
		for _, y := range ends {
			found = append(found, Placement{seat, Warp, node, x, y})
		}
	}
	return found
}

// LegalMoves lists the legal moves: in the order of the draw, then the other way round, by node and
// a Warp's edges.
func LegalMoves(state State) []Move {
	return LegalMovesUpTo(state, MostListed)
}

// LegalMovesUpTo lists the first legal moves, at most this number.
func LegalMovesUpTo(state State, most int) []Move {
	if state.Question == "redraw" {
		return []Move{No, Yes}
	}
	var moves []Move
	switch drawn := state.Drawn; len(drawn) {
	case 1:
		for _, one := range Placements(state, drawn[0]) {
			moves = append(moves, Move{Placements: []Placement{one}})
		}
	case 2:
		moves = appendOrder(moves, state, drawn[0], drawn[1], most)
		if drawn[0] != drawn[1] {
			moves = appendOrder(moves, state, drawn[1], drawn[0], most)
		}
	}
	return moves
}

func appendOrder(moves []Move, state State, first, second byte, most int) []Move {
	others := Placements(state, second)
	for _, one := range Placements(state, first) {
		for _, other := range others {
			if len(moves) >= most {
				return moves
			}
			if other.Node != one.Node {
				moves = append(moves, Move{Placements: []Placement{one, other}})
			}
		}
	}
	return moves
}

// Place makes one placement, to plan a turn tile by tile.
func Place(state State, placement Placement) State {
	state.Kinds = append([]byte(nil), state.Kinds...)
	state.Owners = append([]int(nil), state.Owners...)
	state.Kinds[placement.Node] = placement.Kind
	state.Owners[placement.Node] = placement.Seat
	state.Tiles += FormatTile(placement)
	if placement.Kind == Warp {
		state.Types = warped(&state, placement)
	}
	return state
}

// warped gives the types of the edges after a Warp.
func warped(state *State, warp Placement) []byte {
	types := append([]byte(nil), state.Types...)
	one := state.Board.EdgeBetween(warp.Node, warp.X)
	other := state.Board.EdgeBetween(warp.Node, warp.Y)
	types[one], types[other] = types[other], types[one]
	return types
}

// Apply makes a legal move; the state given stays as it was.
func Apply(state State, move Move) State {
	state.Question, state.Drawn = "", ""
	if move.Answer != "" {
		return state
	}
	for _, placement := range move.Placements {
		state = Place(state, placement)
	}
	state.LastMove = move
	return state
}

// Result gives the seat that has won, Draw, or Open while tiles are left.
func Result(state State) int {
	if Placed(state) < AllTiles {
		return judgebot.Open
	}
	scores := Score(state)
	if winner := larger(scores[0], scores[1]); winner > 0 {
		return winner
	}
	return judgebot.Draw
}
