// judge: game=mahjong
// A bot for Mahjong in Go. The folder judgebot is the kit: `go doc judgebot/mahjong`.
package main

import (
	"judgebot"
	"judgebot/mahjong"
)

// chooseMove is YOUR STRATEGY: it returns one of mahjong.LegalMoves(state). It takes every win, and
// throws the tile without which the hand is nearest to ready.
func chooseMove(state mahjong.State, tools *judgebot.Tools) mahjong.Move {
	if state.Question != "discard" {
		return mahjong.Yes
	}
	moves := mahjong.LegalMoves(state)
	best, nearest := moves[0], 1000
	for _, move := range moves {
		if distance := mahjong.Distance(state.Hand.Without(int(move))); distance <= nearest {
			best, nearest = move, distance
		}
	}
	tools.Log("thrown: " + mahjong.FormatMove(best))
	return best
}

func main() {
	judgebot.Run(mahjong.Game, chooseMove)
}
