// Package cc has Capturing & Conquering. The rules: judge/games/src/cc/README.md.
package cc

import (
	"strconv"
	"strings"

	"judgebot"
	"judgebot/mailbox"
)

// cells are the codes of an empty square, a man of seat 1 and a man of seat 2 in a position.
var cells = [3]string{"00", "01", "11"}

// Move is every square on a man's way, from its start to its end.
type Move struct {
	Path []int
}

// State is a position, and everything else that the bot knows of the round.
type State struct {
	// Seat of the bot: 1 runs to the bottom right corner, 2 to the top left.
	Seat int
	// Size is the number of rows and of columns.
	Size int
	// Board has for each square mailbox.Empty, or the seat of the man there.
	Board mailbox.Board
	// Turn is the seat on turn.
	Turn int
	// Plies is the number of moves that the players have made.
	Plies int
	// MaxPlies is the number of moves after which the game is drawn; 0 for no such limit.
	MaxPlies int
	// LastMove is the move made last, if it is known; its path is empty otherwise.
	LastMove Move
	// Known is false until the first question, which is the first to show the random opening.
	Known bool
}

// Game is the game to pass to judgebot.Run.
var Game = judgebot.Game[State, Move]{
	Name: "cc", Start: Start, Hear: Hear, Ask: Ask, LegalMoves: LegalMoves, Apply: Apply,
	Score: Score, Result: Result, FormatMove: FormatMove, ParseMove: ParseMove,
}

// Start makes the state before the first question.
func Start(greeting judgebot.Greeting) State {
	size := judgebot.Number(greeting.Options["size"])
	board := mailbox.NewBoard(size)
	side := size / 2
	for row := 0; row < side; row++ {
		for column := 0; row+column < side; column++ {
			board[mailbox.SquareAt(row, column)] = 1
			board[mailbox.SquareAt(size-1-row, size-1-column)] = 2
		}
	}
	return State{
		Seat: greeting.Seat, Size: size, Board: board, Turn: 1,
		MaxPlies: judgebot.Number(greeting.Options["max_plies"]),
		Known:    greeting.Options["opening"] == "0",
	}
}

// Hear returns the state after a notice.
func Hear(state State, words []string) State {
	if words[0] != "opponent" {
		return state
	}
	move := ParseMove(words[1])
	if state.Known {
		return Apply(state, move)
	}
	state.LastMove = move
	state.Plies++
	return state
}

// Ask returns the state with a question.
func Ask(state State, words []string) State {
	asked := ParseState(words[1])
	asked.Seat, asked.LastMove = state.Seat, state.LastMove
	asked.Plies, asked.MaxPlies = state.Plies, state.MaxPlies
	return asked
}

// ParseState reads a position as the question spells it; the bot has the seat on turn.
func ParseState(text string) State {
	size := 1
	for 2*size*size+1 < len(text) {
		size++
	}
	board := mailbox.NewBoard(size)
	for index := 0; index < size*size; index++ {
		content := 0
		for text[1+2*index:3+2*index] != cells[content] {
			content++
		}
		board[mailbox.SquareAt(index/size, index%size)] = uint8(content)
	}
	turn := int(text[0]-'0') + 1
	return State{Seat: turn, Size: size, Board: board, Turn: turn, Known: true}
}

// FormatState writes a position as the question does.
func FormatState(state State) string {
	var text strings.Builder
	text.WriteString(strconv.Itoa(state.Turn - 1))
	for index := 0; index < state.Size*state.Size; index++ {
		square := mailbox.SquareAt(index/state.Size, index%state.Size)
		text.WriteString(cells[state.Board[square]])
	}
	return text.String()
}

// ParseMove reads a move such as `0,1>2,3>2,5`; it panics at other text.
func ParseMove(text string) Move {
	var path []int
	for _, square := range strings.Split(text, ">") {
		row, column, _ := strings.Cut(square, ",")
		path = append(path, mailbox.SquareAt(judgebot.Number(row), judgebot.Number(column)))
	}
	return Move{path}
}

// FormatMove writes a move as the judge reads it.
func FormatMove(move Move) string {
	squares := make([]string, len(move.Path))
	for index, square := range move.Path {
		row, column := mailbox.RowOf(square), mailbox.ColumnOf(square)
		squares[index] = strconv.Itoa(row) + "," + strconv.Itoa(column)
	}
	return strings.Join(squares, ">")
}

// Men lists the squares of a seat's men.
func Men(state State, seat int) []int {
	return state.Board.SquaresWith(seat)
}

// Target is the corner that a seat runs to.
func Target(state State, seat int) int {
	if seat == 1 {
		return mailbox.SquareAt(state.Size-1, state.Size-1)
	}
	return mailbox.SquareAt(0, 0)
}

// Captured is the square of the man that a move takes: the first enemy jumped over; 0 for none.
func Captured(state State, move Move) int {
	for index := 1; index < len(move.Path); index++ {
		from, to := move.Path[index-1], move.Path[index]
		// A step has no square in between.
		if over := (from + to) / 2; isJump(from, to) && int(state.Board[over]) == judgebot.OtherSeat(state.Turn) {
			return over
		}
	}
	return 0
}

func isJump(from, to int) bool {
	rows := mailbox.RowOf(from) - mailbox.RowOf(to)
	columns := mailbox.ColumnOf(from) - mailbox.ColumnOf(to)
	return rows == 2 || rows == -2 || columns == 2 || columns == -2
}

// Apply makes a legal move; the state given stays as it was.
func Apply(state State, move Move) State {
	taken := Captured(state, move)
	state.Board[move.Path[0]] = mailbox.Empty
	state.Board[move.Path[len(move.Path)-1]] = uint8(state.Turn)
	if taken > 0 {
		state.Board[taken] = mailbox.Empty
	}
	state.Turn = judgebot.OtherSeat(state.Turn)
	state.Plies++
	state.LastMove = move
	return state
}

// decided is the result, but for a side on turn that cannot move.
func decided(state *State) int {
	mover := judgebot.OtherSeat(state.Turn)
	if int(state.Board[Target(*state, mover)]) == mover {
		return mover
	}
	if len(state.Board.SquaresWith(state.Turn)) == 1 {
		if len(state.Board.SquaresWith(mover)) == 1 {
			return judgebot.Draw
		}
		return mover
	}
	if state.MaxPlies > 0 && state.Plies >= state.MaxPlies {
		return judgebot.Draw
	}
	return judgebot.Open
}

// Result gives the seat that has won, Draw, or Open.
func Result(state State) int {
	ended := decided(&state)
	if ended == judgebot.Open && len(LegalMovesUpTo(state, 1)) == 0 {
		return judgebot.Draw
	}
	return ended
}

// Score gives the scores of seat 1 and seat 2: 2 for a win, 1 for a draw, also while the game is
// open.
func Score(state State) [2]int {
	switch Result(state) {
	case 1:
		return [2]int{2, 0}
	case 2:
		return [2]int{0, 2}
	default:
		return [2]int{1, 1}
	}
}
