// Package patchwork has Patchwork. The rules: judge/games/src/patchwork/README.md.
package patchwork

import (
	"strings"

	"judgebot"
)

const (
	// Last is the last square of the track.
	Last = 53
	// SpecialPatch is the letter of the special patch.
	SpecialPatch = 'h'
)

// Income has the squares that pay the income of the quilt.
var Income = [9]int{5, 11, 17, 23, 29, 35, 41, 47, 53}

// Special has the squares that give a special patch to the first player there.
var Special = [5]int{20, 26, 32, 44, 50}

// Move is a patch with the top left corner of its box and its orientation (0 to 7), or Advance.
type Move struct {
	Patch                    byte
	Column, Row, Orientation int
}

// Advance is the move that advances to the square after the other token.
var Advance = Move{Patch: '.'}

// Side is the possessions of a player.
type Side struct {
	Quilt Quilt
	// Time is the square of the time token.
	Time    int
	Buttons int
	// Income is the number of buttons that each income square brings.
	Income int
}

// State is a position, and everything else that the bot knows of the round.
type State struct {
	// Seat of the bot.
	Seat int
	// SevenBySeven is true if the first full block of 7 by 7 squares earns 7 points.
	SevenBySeven bool
	// Circle has the patches that are left, from the neutral token on: three are on offer.
	Circle string
	// Sides of seat 1 and seat 2.
	Sides [2]Side
	// Turn is the seat on turn; once the game is over, the one that moved last.
	Turn int
	// Pending is true if the seat on turn must lay a special patch now.
	Pending bool
	// FirstAtEnd is the seat that was first on the last square, or 0.
	FirstAtEnd int
	// FirstBlock is the seat that has the bonus for the first block, or 0.
	FirstBlock int
	// Length is the number of characters of the text of the game so far.
	Length int
	// LastMove is the move made last; its patch is 0 before the first.
	LastMove Move
}

// Game is the game to pass to judgebot.Run.
var Game = judgebot.Game[State, Move]{
	Name: "patchwork", Start: Start, Hear: Hear, Ask: Ask, LegalMoves: LegalMoves, Apply: Apply,
	Score: Score, Result: Result, FormatMove: FormatMove, ParseMove: ParseMove,
}

// Start makes the state before the circle is known.
func Start(greeting judgebot.Greeting) State {
	return newState(greeting.Seat, greeting.Options["seven_by_seven"] == "true")
}

func newState(seat int, sevenBySeven bool) State {
	side := Side{Buttons: 5}
	return State{Seat: seat, SevenBySeven: sevenBySeven, Sides: [2]Side{side, side}, Turn: 1}
}

// Hear returns the state after a notice.
func Hear(state State, words []string) State {
	switch words[0] {
	case "circle":
		state.Circle = fromToken(words[1])
	case "opponent":
		return Apply(state, ParseMove(words[1]))
	}
	return state
}

// fromToken gives the letters of a circle from the neutral token on, which starts after `A`.
func fromToken(circle string) string {
	at := strings.Index(circle, "A") + 1
	return circle[at:] + circle[:at]
}

// Ask takes over a question, which has all moves; the new ones are made.
func Ask(state State, words []string) State {
	if words[1] == "-" {
		return state
	}
	for _, move := range ParseMoves(words[1][state.Length:]) {
		state = Apply(state, move)
	}
	return state
}

// ParseState reads `<circle> <all moves, or ->`; the bot has the seat on turn.
func ParseState(text string) State {
	circle, moves, _ := strings.Cut(text, " ")
	state := newState(1, false)
	state.Circle = fromToken(circle)
	state = Ask(state, []string{"move?", moves})
	state.Seat = state.Turn
	return state
}

// ParseMoves reads moves that follow each other without a space.
func ParseMoves(text string) []Move {
	var moves []Move
	for len(text) > 0 {
		length := 4
		if text[0] == Advance.Patch {
			length = 1
		}
		moves = append(moves, ParseMove(text[:length]))
		text = text[length:]
	}
	return moves
}

// ParseMove reads a move such as `BDCA` or `.`; it panics at other text.
func ParseMove(text string) Move {
	if text[0] == Advance.Patch {
		return Advance
	}
	return Move{text[0], int(text[1] - 'A'), int(text[2] - 'A'), int(text[3] - 'A')}
}

// FormatMove writes a move as the judge reads it.
func FormatMove(move Move) string {
	if move == Advance {
		return "."
	}
	letter := func(number int) byte { return byte('A' + number) }
	return string([]byte{move.Patch, letter(move.Column), letter(move.Row), letter(move.Orientation)})
}

// Offer lists the patches on offer.
func Offer(state State) []*Patch {
	var offer []*Patch
	for index := 0; index < 3 && index < len(state.Circle); index++ {
		offer = append(offer, PatchOf(state.Circle[index]))
	}
	return offer
}

// IsOver is true if both tokens are on the last square and no special patch is pending.
func IsOver(state State) bool {
	return state.Sides[0].Time == Last && state.Sides[1].Time == Last && !state.Pending
}

// layable lists the patches that can be laid now.
func layable(state *State) []*Patch {
	if state.Pending {
		return []*Patch{PatchOf(SpecialPatch)}
	}
	var found []*Patch
	for _, patch := range Offer(*state) {
		if patch.Cost <= state.Sides[state.Turn-1].Buttons {
			found = append(found, patch)
		}
	}
	return found
}

// LegalMoves lists the legal moves, one for each shape and place: by patch, orientation, row and
// column; Advance comes last.
func LegalMoves(state State) []Move {
	if IsOver(state) {
		return nil
	}
	var moves []Move
	quilt := &state.Sides[state.Turn-1].Quilt
	for _, patch := range layable(&state) {
		for index := range patch.Distinct {
			moves = appendPlaces(moves, quilt, patch.Letter, &patch.Distinct[index])
		}
	}
	if !state.Pending {
		moves = append(moves, Advance)
	}
	return moves
}

func appendPlaces(moves []Move, quilt *Quilt, letter byte, shape *Shape) []Move {
	for row := 0; row+shape.Height <= Size; row++ {
		for column := 0; column+shape.Width <= Size; column++ {
			if quilt.Fits(shape, column, row) {
				moves = append(moves, Move{letter, column, row, shape.Orientation})
			}
		}
	}
	return moves
}

// Apply makes a legal move; the state given stays as it was.
func Apply(state State, move Move) State {
	state.LastMove = move
	state.Length += len(FormatMove(move))
	if move == Advance {
		state.advance()
	} else {
		state.lay(move)
	}
	state.passTurn()
	return state
}

func (state *State) advance() {
	own, other := &state.Sides[state.Turn-1], &state.Sides[2-state.Turn]
	to := other.Time + 1
	if to > Last {
		to = Last
	}
	steps := to - own.Time
	own.Buttons += steps
	state.move(steps)
}

func (state *State) lay(move Move) {
	own, patch := &state.Sides[state.Turn-1], PatchOf(move.Patch)
	own.Quilt = own.Quilt.Covered(&patch.Shapes[move.Orientation], move.Column, move.Row)
	own.Buttons -= patch.Cost
	own.Income += patch.Income
	if state.SevenBySeven && state.FirstBlock == 0 && own.Quilt.HasBlock() {
		state.FirstBlock = state.Turn
	}
	if patch.Letter == SpecialPatch {
		state.Pending = false
		return
	}
	at := strings.IndexByte(state.Circle, patch.Letter)
	state.Circle = state.Circle[at+1:] + state.Circle[:at]
	state.move(patch.Time)
}

// move moves the token, and gives the rewards of the squares on the way.
func (state *State) move(steps int) {
	own, other := &state.Sides[state.Turn-1], &state.Sides[2-state.Turn]
	from, furthest := own.Time, own.Time
	if other.Time > furthest {
		furthest = other.Time
	}
	own.Time += steps
	if own.Time > Last {
		own.Time = Last
	}
	for _, square := range Income {
		if from < square && square <= own.Time {
			own.Buttons += own.Income
		}
	}
	for _, square := range Special {
		// On a full quilt the special patch is lost.
		if furthest < square && square <= own.Time && own.Quilt.EmptySquares() > 0 {
			state.Pending = true
		}
	}
	if own.Time == Last && state.FirstAtEnd == 0 {
		state.FirstAtEnd = state.Turn
	}
}

// passTurn: the player further back moves; on equal squares the one who came there last.
func (state *State) passTurn() {
	other := judgebot.OtherSeat(state.Turn)
	if !state.Pending && state.Sides[other-1].Time < state.Sides[state.Turn-1].Time {
		state.Turn = other
	}
}

// Score gives the scores of seat 1 and seat 2, as if the game ended now.
func Score(state State) [2]int {
	var scores [2]int
	for index := range state.Sides {
		side := &state.Sides[index]
		scores[index] = side.Buttons - 2*side.Quilt.EmptySquares()
		if state.FirstBlock == index+1 {
			scores[index] += 7
		}
	}
	return scores
}

// Result gives the seat that has won, or Open; with equal scores the first at the end.
func Result(state State) int {
	scores := Score(state)
	switch {
	case !IsOver(state):
		return judgebot.Open
	case scores[0] == scores[1]:
		return state.FirstAtEnd
	case scores[0] > scores[1]:
		return 1
	default:
		return 2
	}
}
