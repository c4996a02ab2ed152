// judge: game=mahjong
// The strategy of sdk/templates/c/mahjong.c, with the kit of Go.
package main

import (
	"judgebot"
	"judgebot/mahjong"
)

// value is 3 for each further tile of its kind, and 2 for each neighbour.
func value(hand mahjong.Hand, tile int) int {
	rank, worth := mahjong.RankOf(tile), 3*(int(hand[tile])-1)
	if rank < 9 && hand[tile+1] > 0 {
		worth += 2
	}
	if rank > 1 && hand[tile-1] > 0 {
		worth += 2
	}
	return worth
}

func chooseMove(state mahjong.State, tools *judgebot.Tools) mahjong.Move {
	if state.Question != "discard" {
		return mahjong.Yes
	}
	moves := mahjong.LegalMoves(state)
	worst, least := moves[0], 1000
	for _, move := range moves {
		if found := value(state.Hand, int(move)); found < least {
			worst, least = move, found
		}
	}
	return worst
}

func main() {
	judgebot.Run(mahjong.Game, chooseMove)
}
