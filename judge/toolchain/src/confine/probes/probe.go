package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strconv"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		sort.Strings(words)
		fmt.Println(strconv.Itoa(rand.Intn(len(words)+1)), words)
	}
}
