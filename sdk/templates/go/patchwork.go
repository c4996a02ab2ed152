// judge: game=patchwork
// A bot for Patchwork in Go. The folder judgebot is the kit: `go doc judgebot/patchwork`.
package main

import (
	"judgebot"
	"judgebot/patchwork"
)

// value is YOUR STRATEGY: how good a move is. The best one is played: here, the patch that covers
// most for its time. To advance brings a button for each square.
func value(move patchwork.Move) float64 {
	if move == patchwork.Advance {
		return 1
	}
	patch := patchwork.PatchOf(move.Patch)
	time := max(patch.Time, 1)
	return float64(2*patch.Squares+4*patch.Income-patch.Cost) / float64(time)
}

func chooseMove(state patchwork.State, tools *judgebot.Tools) patchwork.Move {
	moves := patchwork.LegalMoves(state)
	best := moves[0]
	for _, move := range moves {
		if value(move) > value(best) {
			best = move
		}
	}
	tools.Log("played: " + patchwork.FormatMove(best))
	return best
}

func main() {
	judgebot.Run(patchwork.Game, chooseMove)
}
