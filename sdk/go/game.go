// Package judgebot is the kit for bots in Go. Each game is a separate package, such as
// judgebot/amazons.
package judgebot

// The values that Result of each game returns besides the number of the seat that has won.
const (
	// Open says that the game is not over yet.
	Open = 0
	// Draw says that the game is over without a winner.
	Draw = 3
)

// OtherSeat returns the seat of the opponent: 2 for 1, and 1 for 2.
func OtherSeat(seat int) int {
	return 3 - seat
}

// Game has the functions that the packages of all games have in common; each package has a variable
// Game of this type.
type Game[State, Move any] struct {
	// Name of the game in the protocol.
	Name string
	// Start makes the state of a new round.
	Start func(Greeting) State
	// Hear returns the state after a notice.
	Hear func(State, []string) State
	// Ask returns the state with a question.
	Ask func(State, []string) State
	// LegalMoves lists the moves in the referee's order.
	LegalMoves func(State) []Move
	// Apply makes a move; the state given stays as it was.
	Apply func(State, Move) State
	// Score gives the scores of seat 1 and seat 2.
	Score func(State) [2]int
	// Result gives the seat that has won, Draw or Open.
	Result func(State) int
	// FormatMove writes a move as the judge reads it.
	FormatMove func(Move) string
	// ParseMove reads a move; it panics at a text that the judge would not send.
	ParseMove func(string) Move
}

// Tools are given to a bot with each question, besides the state.
type Tools struct {
	// Log writes a line to the bot's log, shown with the round.
	Log func(text string)
	// Random numbers are the same in every repetition of a round.
	Random *Random
}
