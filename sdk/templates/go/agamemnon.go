// judge: game=agamemnon
// A bot for Agamemnon in Go. The folder judgebot is the kit: `go doc judgebot/agamemnon`.
package main

import (
	"judgebot"
	"judgebot/agamemnon"
)

// value is YOUR STRATEGY: how good a state is for you. Each tile is placed where it is best: here,
// where it brings the largest lead at once.
func value(state agamemnon.State) int {
	score := agamemnon.Score(state)
	if state.Seat == 1 {
		return score[0] - score[1]
	}
	return score[1] - score[0]
}

func bestPlacement(state agamemnon.State, kind byte) agamemnon.Placement {
	all := agamemnon.Placements(state, kind)
	best, most := all[0], -1000000
	for _, placement := range all {
		if found := value(agamemnon.Place(state, placement)); found > most {
			best, most = placement, found
		}
	}
	return best
}

func chooseMove(state agamemnon.State, tools *judgebot.Tools) agamemnon.Move {
	if state.Question == "redraw" {
		return agamemnon.No
	}
	placements := []agamemnon.Placement{}
	for _, kind := range []byte(state.Drawn) {
		placement := bestPlacement(state, kind)
		placements = append(placements, placement)
		state = agamemnon.Place(state, placement)
	}
	move := agamemnon.Move{Placements: placements}
	tools.Log("placed: " + agamemnon.FormatMove(move))
	return move
}

func main() {
	judgebot.Run(agamemnon.Game, chooseMove)
}
