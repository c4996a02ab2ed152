// judge: game=amazons
// The search of bot.cpp, in Go.
package main

import (
	"judgebot"
	"judgebot/amazons"
)

func room(state amazons.State, seat int) int {
	count := 0
	for _, from := range amazons.Amazons(state, seat) {
		count += len(amazons.Reach(state, from))
	}
	return count
}

func chooseMove(state amazons.State, tools *judgebot.Tools) amazons.Move {
	moves := amazons.LegalMoves(state)
	if len(moves) > 50 {
		moves = moves[:50]
	}
	best, most := moves[0], -1000000
	for _, move := range moves {
		after := amazons.Apply(state, move)
		found := room(after, state.Seat) - room(after, judgebot.OtherSeat(state.Seat))
		if found > most {
			best, most = move, found
		}
	}
	return best
}

func main() {
	judgebot.Run(amazons.Game, chooseMove)
}
