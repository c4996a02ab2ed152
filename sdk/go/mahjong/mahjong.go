// Package mahjong has Arcade Mahjong. The rules: judge/games/src/mahjong/README.md.
package mahjong

import "judgebot"

// Move is the tile to discard, or Yes or No to winning.
type Move int

const (
	// Yes wins.
	Yes Move = Kinds
	// No does not win, and plays on.
	No Move = Kinds + 1
)

const (
	// wall is the number of tiles in the wall after the deal.
	wall = 82
	// dealt is the number of tiles dealt to each side.
	dealt = 13
)

// State is everything that the bot sees of a round.
type State struct {
	// Seat of the bot.
	Seat int
	// Rules of scoring.
	Rules Rules
	// Hand of the bot: 13 tiles, 14 when it must discard one.
	Hand Hand
	// Question is `discard`, `win-self`, `win-discard`, or empty when it is not the bot's turn.
	Question string
	// Offered is the tile that completes the hand, when the bot is asked to win; -1 otherwise.
	Offered int
	// Drawn is the tile drawn last, -1 before the first.
	Drawn int
	// Draws is the number of tiles that the bot has drawn, including those dealt.
	Draws int
	// River has the discards of the bot, in order.
	River []int
	// OtherRiver has the discards of the other side, in order.
	OtherRiver []int
	// Won is Faan of the hand with which the bot has won, 0 before.
	Won int
	// Ended is the end of the round for the bot: `win`, `loss` or `draw`; empty until then.
	Ended string
}

// Game is the game to pass to judgebot.Run.
var Game = judgebot.Game[State, Move]{
	Name: "mahjong", Start: Start, Hear: Hear, Ask: Ask, LegalMoves: LegalMoves, Apply: Apply,
	Score: Score, Result: Result, FormatMove: FormatMove, ParseMove: ParseMove,
}

// Start makes the state before the first tile.
func Start(greeting judgebot.Greeting) State {
	factor := func(key string) int { return judgebot.Number(greeting.Options[key]) }
	rules := Rules{
		VoidSuit:    greeting.Options["void_suit"] == "true",
		AllTriplets: factor("all_triplets"), FullFlush: factor("full_flush"),
		SevenPairs: factor("seven_pairs"), Root: factor("root"),
	}
	return State{Seat: greeting.Seat, Rules: rules, Offered: -1, Drawn: -1}
}

// Hear returns the state after a notice.
func Hear(state State, words []string) State {
	switch words[0] {
	case "draw":
		state.Drawn = ParseTile(words[1])
		state.Hand[state.Drawn]++
		state.Draws++
	case "opponent":
		state.OtherRiver = extended(state.OtherRiver, ParseTile(words[1]))
	case "end":
		state.Ended = words[1]
	}
	return state
}

// extended gives a new list with one more tile.
func extended(tiles []int, tile int) []int {
	return append(append(make([]int, 0, len(tiles)+1), tiles...), tile)
}

// Ask returns the state with a question.
func Ask(state State, words []string) State {
	if words[0] == "discard?" {
		state.Question = "discard"
	} else {
		state.Question, state.Offered = "win-"+words[2], ParseTile(words[1])
	}
	return state
}

// ParseMove reads an answer: a tile, `yes` or `no`; it panics at other text.
func ParseMove(text string) Move {
	switch text {
	case "yes":
		return Yes
	case "no":
		return No
	default:
		return Move(ParseTile(text))
	}
}

// FormatMove writes a move as the judge reads it.
func FormatMove(move Move) string {
	switch move {
	case Yes:
		return "yes"
	case No:
		return "no"
	default:
		return FormatTile(int(move))
	}
}

// LegalMoves lists the legal moves: each tile in hand once, or No and Yes.
func LegalMoves(state State) []Move {
	switch state.Question {
	case "":
		return nil
	case "discard":
		var moves []Move
		for tile, count := range state.Hand {
			if count > 0 {
				moves = append(moves, Move(tile))
			}
		}
		return moves
	default:
		return []Move{No, Yes}
	}
}

// Apply makes a legal move, as far as the bot knows its effect: the next draw comes as a notice.
// The state given stays as it was.
func Apply(state State, move Move) State {
	if move == Yes {
		state.Won = FaanWith(state.Hand, state.Offered, state.Rules)
		return state
	}
	state.Question, state.Offered = "", -1
	if move != No {
		state.Hand[move]--
		state.River = extended(state.River, int(move))
	}
	return state
}

// WallLeft is the number of tiles left in the wall; it is correct even before a draw or discard is
// announced.
func WallLeft(state State) int {
	// The other side drew every tile that it has discarded.
	left := wall - len(state.OtherRiver)
	if state.Draws > dealt {
		left -= state.Draws - dealt
	}
	if state.Question == "win-self" || state.Question == "win-discard" {
		left--
	}
	return left
}

// Score gives the scores of seat 1 and seat 2: both are 0 until the bot has won.
func Score(state State) [2]int {
	var scores [2]int
	scores[state.Seat-1] = RoundScore(state.Won, WallLeft(state))
	return scores
}

// Result gives the seat that has won, Draw, or Open.
func Result(state State) int {
	switch {
	case state.Won > 0 || state.Ended == "win":
		return state.Seat
	case state.Ended == "loss":
		return judgebot.OtherSeat(state.Seat)
	case state.Ended == "draw":
		return judgebot.Draw
	default:
		return judgebot.Open
	}
}
