// A Mahjong bot in plain Go: it reads lines and prints lines, and knows no kit. It discards what it
// has just drawn, and takes every win.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	drawn := ""
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch words[0] {
		case "draw":
			drawn = words[1]
		case "discard?":
			fmt.Println(drawn)
		case "win?":
			fmt.Println("yes")
		}
	}
}
