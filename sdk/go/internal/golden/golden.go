// Package golden reads the shared data of all kits' tests: the referee's test vectors, and rounds
// recorded by the judge.
package golden

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strings"
	"testing"

	"judgebot"
)

// sdk is the folder with all kits.
func sdk() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

func read(t *testing.T, path ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{sdk()}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Vectors gives the referee's test vectors of a game, of one kind.
func Vectors[T any](t *testing.T, game, kind string) []T {
	t.Helper()
	var file struct{ Vectors []json.RawMessage }
	unmarshal(t, read(t, "..", "judge", "games", "src", game, "golden", "vectors.json"), &file)
	var found []T
	for _, raw := range file.Vectors {
		var head struct{ Kind string }
		unmarshal(t, raw, &head)
		if head.Kind == kind {
			var vector T
			unmarshal(t, raw, &vector)
			found = append(found, vector)
		}
	}
	if len(found) == 0 {
		t.Fatalf("no vectors of kind %s", kind)
	}
	return found
}

func unmarshal(t *testing.T, raw []byte, value any) {
	t.Helper()
	if err := json.Unmarshal(raw, value); err != nil {
		t.Fatal(err)
	}
}

// Round is a recorded round; sdk/golden/record.py says how it is written.
type Round struct {
	Title string
	Lines []string
}

// Rounds gives the recorded rounds of a game.
func Rounds(t *testing.T, game string) []Round {
	t.Helper()
	text := "\n" + strings.TrimSpace(string(read(t, "golden", game+".txt")))
	var rounds []Round
	for _, block := range strings.Split(text, "\nround ")[1:] {
		lines := strings.Split(block, "\n")
		rounds = append(rounds, Round{lines[0], lines[1:]})
	}
	return rounds
}

// Fingerprint is FNV-1a of the sorted answers, as the recorded rounds have it.
func Fingerprint(texts []string) string {
	sort.Strings(texts)
	hashed := fnv.New32a()
	hashed.Write([]byte(strings.Join(texts, "\n")))
	return fmt.Sprintf("%08x", hashed.Sum32())
}

// Legal gives the legal moves as text.
func Legal[S, M any](game judgebot.Game[S, M], state S) []string {
	var texts []string
	for _, move := range game.LegalMoves(state) {
		texts = append(texts, game.FormatMove(move))
	}
	return texts
}

// Perft counts the sequences of moves, each applied.
func Perft[S, M any](game judgebot.Game[S, M], state S, depth int) int {
	moves := game.LegalMoves(state)
	if depth == 1 {
		return len(moves)
	}
	count := 0
	for _, move := range moves {
		count += Perft(game, game.Apply(state, move), depth-1)
	}
	return count
}

// witness is a player that is checked at every question and gives the recorded answer.
type witness[S, M any] struct {
	t                *testing.T
	game             judgebot.Game[S, M]
	player           *judgebot.Player[S, M]
	expected, answer string
}

func newWitness[S, M any](t *testing.T, game judgebot.Game[S, M]) *witness[S, M] {
	seen := &witness[S, M]{t: t, game: game}
	seen.player = judgebot.NewPlayer(game, seen.choose, &judgebot.Tools{})
	return seen
}

func (seen *witness[S, M]) choose(state S, _ *judgebot.Tools) M {
	legal, scores := Legal(seen.game, state), seen.game.Score(state)
	found := fmt.Sprintf("%d %s %d %d", len(legal), Fingerprint(legal), scores[0], scores[1])
	if found != seen.expected || seen.game.Result(state) != judgebot.Open {
		seen.t.Errorf("found %s, expected %s", found, seen.expected)
	}
	return seen.game.ParseMove(seen.answer)
}

func (seen *witness[S, M]) ask(question, expected, answer string) {
	seen.expected, seen.answer = expected, answer
	if found, asked := seen.player.Line(question); !asked || found != answer {
		seen.t.Fatalf("%s: found %s, expected %s", question, found, answer)
	}
}

func (seen *witness[S, M]) tell(notice string, seat int) {
	if _, asked := seen.player.Line(notice); asked {
		seen.t.Fatalf("%s: an answer", notice)
	}
	if strings.HasPrefix(notice, "end ") {
		seen.end(strings.Split(notice, " "), seat)
	}
}

func (seen *witness[S, M]) end(words []string, seat int) {
	winner := map[string]int{"win": seat, "loss": 3 - seat, "draw": judgebot.Draw}[words[1]]
	if found := seen.game.Result(seen.player.State); found != winner {
		seen.t.Errorf("result %d, expected %d", found, winner)
	}
	// The state does not know the worth of the other side's hidden hand.
	if seen.game.Name == "mahjong" && words[1] == "loss" {
		return
	}
	scores := seen.game.Score(seen.player.State)
	if scores[seat-1] != judgebot.Number(words[2]) || scores[2-seat] != judgebot.Number(words[3]) {
		seen.t.Errorf("scores %v, expected %v", scores, words)
	}
}

// Replay plays the recorded rounds: the same legal moves and scores at every question, and the same
// end.
func Replay[S, M any](t *testing.T, game judgebot.Game[S, M]) {
	for _, round := range Rounds(t, game.Name) {
		t.Run(round.Title, func(t *testing.T) { replay(t, game, round.Lines) })
	}
}

func replay[S, M any](t *testing.T, game judgebot.Game[S, M], lines []string) {
	seats := [2]*witness[S, M]{newWitness(t, game), newWitness(t, game)}
	questions := 0
	for at := 0; at < len(lines); at++ {
		seat, text := int(lines[at][0]-'0'), lines[at][2:]
		if !strings.HasSuffix(strings.Split(text, " ")[0], "?") {
			seats[seat-1].tell(text, seat)
			continue
		}
		seats[seat-1].ask(text, lines[at+1][2:], lines[at+2][4:])
		at += 2
		questions++
	}
	if questions < 4 {
		t.Errorf("only %d questions", questions)
	}
}

var againstRandom = regexp.MustCompile(`in seat (\d), random, seed (\d+)`)

// PlaysLikeRandom draws from the listed moves as the judge's `random` does: the same answers show
// that moves are listed in the referee's order.
func PlaysLikeRandom[S, M any](t *testing.T, game judgebot.Game[S, M]) {
	rounds := 0
	for _, round := range Rounds(t, game.Name) {
		if found := againstRandom.FindStringSubmatch(round.Title); found != nil {
			seat, seed := 3-judgebot.Number(found[1]), judgebot.Number(found[2])
			t.Run(round.Title, func(t *testing.T) { playRandom(t, game, round.Lines, seat, uint64(seed)) })
			rounds++
		}
	}
	if rounds == 0 {
		t.Error("no rounds")
	}
}

func playRandom[S, M any](t *testing.T, game judgebot.Game[S, M], lines []string, seat int, seed uint64) {
	choose := func(state S, tools *judgebot.Tools) M {
		return judgebot.Choice(tools.Random, game.LegalMoves(state))
	}
	// The streams of the judge's opponents are 4 and 5.
	random := judgebot.NewRandom(seed, uint64(3+seat))
	player := judgebot.NewPlayer(game, choose, &judgebot.Tools{Random: random})
	answer := ""
	for _, line := range lines {
		if int(line[0]-'0') != seat {
			continue
		}
		if strings.HasPrefix(line[2:], "> ") {
			if line[4:] != answer {
				t.Fatalf("found %s, expected %s", answer, line[4:])
			}
		} else if found, asked := player.Line(line[2:]); asked {
			answer = found
		}
	}
}
