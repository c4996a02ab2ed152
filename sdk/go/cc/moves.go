package cc

import (
	"judgebot"
	"judgebot/mailbox"
)

// MostListed is the number of moves that LegalMoves lists at most; hardly any position has as many.
const MostListed = 65536

const stride = mailbox.Stride

// steps of seat 1 and seat 2, towards their corners.
var steps = [2][3]int{{stride, 1, stride + 1}, {-stride, -1, -stride - 1}}

// jumps are the eight directions, in the order in which they are tried.
var jumps = [8]int{-stride, 1, 1 - stride, stride + 1, stride, -1, stride - 1, -stride - 1}

// LegalMoves lists the legal moves: man by man, its steps before its chains; none once the game is
// over.
func LegalMoves(state State) []Move {
	return LegalMovesUpTo(state, MostListed)
}

// LegalMovesUpTo lists the first legal moves, at most this number.
func LegalMovesUpTo(state State, most int) []Move {
	if decided(&state) != judgebot.Open {
		return nil
	}
	search := chains{board: state.Board, enemy: judgebot.OtherSeat(state.Turn), most: most}
	for _, from := range state.Board.SquaresWith(state.Turn) {
		for _, step := range steps[state.Turn-1] {
			if state.Board[from+step] == mailbox.Empty && len(search.moves) < most {
				search.moves = append(search.moves, Move{[]int{from, from + step}})
			}
		}
		search.goOn([]int{from}, false)
	}
	return search.moves
}

// chains is the search of chains of jumps.
type chains struct {
	board  mailbox.Board
	jumped [stride * stride]bool
	enemy  int
	moves  []Move
	most   int
}

// goOn lists every continuation of a chain.
func (search *chains) goOn(path []int, taken bool) {
	for _, jump := range jumps {
		over := path[len(path)-1] + jump
		if search.canJump(over, jump) {
			search.jump(path, over, over+jump, taken)
		}
	}
}

func (search *chains) canJump(over, jump int) bool {
	man := search.board[over]
	return (man == 1 || man == 2) && !search.jumped[over] && search.board[over+jump] == mailbox.Empty
}

func (search *chains) jump(path []int, over, to int, taken bool) {
	if len(search.moves) >= search.most {
		return
	}
	man := search.board[over]
	takes := !taken && int(man) == search.enemy
	// The first enemy jumped over is gone at once, so that its square can be landed on.
	if takes {
		search.board[over] = mailbox.Empty
	}
	search.jumped[over] = true
	longer := append(append(make([]int, 0, len(path)+1), path...), to)
	search.moves = append(search.moves, Move{longer})
	search.goOn(longer, taken || takes)
	search.jumped[over] = false
	search.board[over] = man
}
