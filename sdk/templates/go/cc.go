// judge: game=cc
// A bot for Capturing & Conquering in Go. The folder judgebot is the kit: `go doc judgebot/cc`.
package main

import (
	"judgebot"
	"judgebot/cc"
	"judgebot/mailbox"
)

// value is YOUR STRATEGY: how good a move is. The best one is played: here a winning one, or else the
// one that runs farthest, where a man taken counts as three squares.
func value(state cc.State, move cc.Move) int {
	if cc.Result(cc.Apply(state, move)) == state.Seat {
		return 1000
	}
	run := far(move.Path[len(move.Path)-1]) - far(move.Path[0])
	if state.Seat == 2 {
		run = -run
	}
	if cc.Captured(state, move) > 0 {
		run += 3
	}
	return run
}

// far is the number of rows and columns from the top left corner to a square.
func far(square int) int {
	return mailbox.RowOf(square) + mailbox.ColumnOf(square)
}

func chooseMove(state cc.State, tools *judgebot.Tools) cc.Move {
	moves := cc.LegalMovesUpTo(state, 500)
	best := moves[0]
	for _, move := range moves {
		if value(state, move) > value(state, best) {
			best = move
		}
	}
	tools.Log("played: " + cc.FormatMove(best))
	return best
}

func main() {
	judgebot.Run(cc.Game, chooseMove)
}
