// A Mahjong bot in plain Go: it reads lines and prints lines, and uses no kit. It throws its
// largest tile (by suit, then by rank), and takes every win.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
)

// order compares tiles such as `3b` (rank 3, suit b): by suit, then by rank.
func order(a, b string) int {
	if a[1] != b[1] {
		return int(a[1]) - int(b[1])
	}
	return int(a[0]) - int(b[0])
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	var hand []string
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch words[0] {
		case "draw":
			hand = append(hand, words[1])
			slices.SortFunc(hand, order)
		case "discard?":
			last := len(hand) - 1
			fmt.Println(hand[last])
			hand = hand[:last]
		case "win?":
			fmt.Println("yes")
		}
	}
}
