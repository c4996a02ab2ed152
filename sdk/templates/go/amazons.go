// judge: game=amazons
// A bot for Amazons in Go. The folder judgebot is the kit: `go doc judgebot/amazons`.
package main

import (
	"judgebot"
	"judgebot/amazons"
)

// value is YOUR STRATEGY: how good a state is for you, after your move. The move to the best one is
// played: here, the one after which your amazons reach more squares than the other side's.
func value(state amazons.State, seat int) int {
	return room(state, seat) - room(state, judgebot.OtherSeat(seat))
}

func room(state amazons.State, seat int) int {
	count := 0
	for _, from := range amazons.Amazons(state, seat) {
		count += len(amazons.Reach(state, from))
	}
	return count
}

// chooseMove tries a hundred of the moves, as there may be thousands.
func chooseMove(state amazons.State, tools *judgebot.Tools) amazons.Move {
	moves := amazons.LegalMoves(state)
	judgebot.Shuffle(tools.Random, moves)
	if len(moves) > 100 {
		moves = moves[:100]
	}
	best, most := moves[0], -1000000
	for _, move := range moves {
		if found := value(amazons.Apply(state, move), state.Seat); found > most {
			best, most = move, found
		}
	}
	tools.Log("played: " + amazons.FormatMove(best))
	return best
}

func main() {
	judgebot.Run(amazons.Game, chooseMove)
}
