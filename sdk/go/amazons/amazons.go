// Package amazons has the Game of the Amazons. The rules: judge/games/src/amazons/README.md.
package amazons

import (
	"strconv"
	"strings"

	"judgebot"
	"judgebot/mailbox"
)

// Arrow is a burnt square; an amazon is on the board as the number of its seat, 1 or 2.
const Arrow = 3

// contents are the letters of the board's contents.
const contents = ".wbx"

// Directions are the eight directions, in the order in which moves are listed.
var Directions = [8]int{
	1, -1, mailbox.Stride, -mailbox.Stride,
	mailbox.Stride + 1, -mailbox.Stride - 1, 1 - mailbox.Stride, mailbox.Stride - 1,
}

// Move says which amazon goes where, and which square its arrow burns.
type Move struct {
	From, To, Arrow int
}

// State is a position, and everything else that the bot knows of the round.
type State struct {
	// Seat of the bot: 1 is White, 2 is Black.
	Seat int
	// Size is the number of rows and of columns.
	Size int
	// Board has the contents of each square.
	Board mailbox.Board
	// Turn is the seat on turn.
	Turn int
	// LastMove is the move made last, if it is known; From is 0 otherwise.
	LastMove Move
	// Known is false until the first question, which is the first to show the random opening.
	Known bool
}

// Game is the game to pass to judgebot.Run.
var Game = judgebot.Game[State, Move]{
	Name: "amazons", Start: Start, Hear: Hear, Ask: Ask, LegalMoves: LegalMoves, Apply: Apply,
	Score: Score, Result: Result, FormatMove: FormatMove, ParseMove: ParseMove,
}

// Start makes the state before the first question.
func Start(greeting judgebot.Greeting) State {
	size := judgebot.Number(greeting.Options["size"])
	board := mailbox.NewBoard(size)
	for index, key := range []string{"white", "black"} {
		for _, square := range strings.Split(greeting.Options[key], ",") {
			board[ParseSquare(square)] = uint8(index + 1)
		}
	}
	known := greeting.Options["opening"] == "0"
	return State{Seat: greeting.Seat, Size: size, Board: board, Turn: 1, Known: known}
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
	return state
}

// Ask returns the state with a question.
func Ask(state State, words []string) State {
	asked := ParseState(words[1] + " " + words[2])
	asked.Seat, asked.LastMove = state.Seat, state.LastMove
	return asked
}

// ParseState reads a position such as `1b2/3b/w3/2w1 w`; the bot has the seat on turn.
func ParseState(text string) State {
	rows, side, _ := strings.Cut(text, " ")
	lines := strings.Split(rows, "/")
	size := len(lines)
	board := mailbox.NewBoard(size)
	for index, line := range lines {
		readRow(&board, mailbox.SquareAt(size-1-index, 0), line)
	}
	turn := strings.Index(contents, side)
	return State{Seat: turn, Size: size, Board: board, Turn: turn, Known: true}
}

func readRow(board *mailbox.Board, square int, line string) {
	empty := 0
	for _, letter := range line {
		if content := strings.IndexRune(contents, letter); content > 0 {
			square += empty
			board[square] = uint8(content)
			square, empty = square+1, 0
		} else {
			empty = 10*empty + int(letter-'0')
		}
	}
}

// FormatState writes a position as the question does.
func FormatState(state State) string {
	rows := make([]string, 0, state.Size)
	for row := state.Size - 1; row >= 0; row-- {
		rows = append(rows, formatRow(&state, row))
	}
	return strings.Join(rows, "/") + " " + contents[state.Turn:state.Turn+1]
}

func formatRow(state *State, row int) string {
	text, empty := "", 0
	for column := 0; column <= state.Size; column++ {
		content := int(state.Board[mailbox.SquareAt(row, column)])
		if content == mailbox.Empty {
			empty++
			continue
		}
		if empty > 0 {
			text += strconv.Itoa(empty)
		}
		if column < state.Size {
			text += contents[content : content+1]
		}
		empty = 0
	}
	return text
}

// ParseSquare reads a square such as `d1`.
func ParseSquare(text string) int {
	return mailbox.SquareAt(judgebot.Number(text[1:])-1, int(text[0]-'a'))
}

// FormatSquare writes a square.
func FormatSquare(square int) string {
	column := rune('a' + mailbox.ColumnOf(square))
	return string(column) + strconv.Itoa(mailbox.RowOf(square)+1)
}

// ParseMove reads a move such as `d1-d7/g7`; it panics at other text.
func ParseMove(text string) Move {
	from, rest, _ := strings.Cut(text, "-")
	to, arrow, _ := strings.Cut(rest, "/")
	return Move{ParseSquare(from), ParseSquare(to), ParseSquare(arrow)}
}

// FormatMove writes a move as the judge reads it.
func FormatMove(move Move) string {
	return FormatSquare(move.From) + "-" + FormatSquare(move.To) + "/" + FormatSquare(move.Arrow)
}

// Amazons lists the squares of a seat's amazons.
func Amazons(state State, seat int) []int {
	return state.Board.SquaresWith(seat)
}

// Reach lists the squares that a queen on this one can go to.
func Reach(state State, from int) []int {
	return reach(&state.Board, from, nil)
}

func reach(board *mailbox.Board, from int, squares []int) []int {
	for _, step := range Directions {
		for to := from + step; board[to] == mailbox.Empty; to += step {
			squares = append(squares, to)
		}
	}
	return squares
}

// LegalMoves lists the legal moves: by amazon, then by its new square, then by its arrow.
func LegalMoves(state State) []Move {
	board := &state.Board
	var moves []Move
	var arrows []int
	for _, from := range board.SquaresWith(state.Turn) {
		targets := reach(board, from, nil)
		board[from] = mailbox.Empty
		for _, to := range targets {
			arrows = reach(board, to, arrows[:0])
			for _, arrow := range arrows {
				moves = append(moves, Move{from, to, arrow})
			}
		}
		board[from] = uint8(state.Turn)
	}
	return moves
}

// Apply makes a legal move; the state given stays as it was.
func Apply(state State, move Move) State {
	state.Board[move.From] = mailbox.Empty
	state.Board[move.To] = uint8(state.Turn)
	state.Board[move.Arrow] = Arrow
	state.Turn = judgebot.OtherSeat(state.Turn)
	state.LastMove = move
	return state
}

// Result gives the seat that has won, or Open: a seat on turn that cannot move has lost.
func Result(state State) int {
	for _, from := range state.Board.SquaresWith(state.Turn) {
		for _, step := range Directions {
			if state.Board[from+step] == mailbox.Empty {
				return judgebot.Open
			}
		}
	}
	return judgebot.OtherSeat(state.Turn)
}

// Score gives the scores of seat 1 and seat 2: 1 for the winner.
func Score(state State) [2]int {
	var scores [2]int
	if winner := Result(state); winner != judgebot.Open {
		scores[winner-1] = 1
	}
	return scores
}
