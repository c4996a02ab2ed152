package judgebot

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Greeting is the first line of a round, `game cc seat 1 size=8 …`, taken apart.
type Greeting struct {
	Game    string
	Seat    int
	Options map[string]string
}

// ReadGreeting reads the words of the line.
func ReadGreeting(words []string) Greeting {
	options := make(map[string]string)
	for _, word := range words[4:] {
		key, value, _ := strings.Cut(word, "=")
		options[key] = value
	}
	return Greeting{words[1], Number(words[3]), options}
}

// Number reads a number of the protocol; it panics at a text that the judge would not send.
func Number(text string) int {
	number, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return number
}

// Player plays a round: it keeps the state, asks a function for moves, and answers the judge's
// lines.
type Player[State, Move any] struct {
	// State of the round, once it has begun.
	State      State
	game       Game[State, Move]
	chooseMove func(State, *Tools) Move
	tools      *Tools
}

// NewPlayer makes a player of a game.
func NewPlayer[State, Move any](
	game Game[State, Move], chooseMove func(State, *Tools) Move, tools *Tools,
) *Player[State, Move] {
	return &Player[State, Move]{game: game, chooseMove: chooseMove, tools: tools}
}

// Line takes a line of the judge; it returns the answer to a question, and false for a notice.
func (player *Player[State, Move]) Line(text string) (string, bool) {
	words := strings.Split(text, " ")
	switch {
	case words[0] == "game":
		player.start(ReadGreeting(words))
	case strings.HasSuffix(words[0], "?"):
		return player.answer(player.game.Ask(player.State, words)), true
	default:
		player.State = player.game.Hear(player.State, words)
	}
	return "", false
}

func (player *Player[State, Move]) start(greeting Greeting) {
	if greeting.Game != player.game.Name {
		panic("this bot plays `" + player.game.Name + "`, not `" + greeting.Game + "`")
	}
	player.State = player.game.Start(greeting)
}

func (player *Player[State, Move]) answer(state State) string {
	move := player.chooseMove(state, player.tools)
	player.State = player.game.Apply(state, move)
	return player.game.FormatMove(move)
}

// Run plays a round: it reads the judge's lines from standard input and prints the answers.
func Run[State, Move any](game Game[State, Move], chooseMove func(State, *Tools) Move) {
	RunSeeded(game, chooseMove, 1)
}

// RunSeeded is Run with a seed for the bot's random numbers.
func RunSeeded[State, Move any](
	game Game[State, Move], chooseMove func(State, *Tools) Move, seed uint64,
) {
	log := func(text string) { fmt.Fprintln(os.Stderr, text) }
	player := NewPlayer(game, chooseMove, &Tools{log, NewRandom(seed, 0)})
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if answer, asked := player.Line(lines.Text()); asked {
			fmt.Println(answer)
		}
	}
}
