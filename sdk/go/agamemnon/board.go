package agamemnon

import (
	"sort"
	"strconv"
	"strings"

	"judgebot"
)

// StandardEdges is the edge string of the standard board.
const StandardEdges = "S0001S0004F0105L0204F0206L0203L0306S0307L0408S0409S0510F0508F0611S0712" +
	"F0813S0809S0911S1015F1114L1112S1216F1217S1315F1314L1418L1419F1520L1619S1617F1722L1820" +
	"L1823S1924F1921F2025L2126F2122L2226F2325F2324F2427S2428L2529L2628L2729L2728S2831S2930S3031"

// Board is the nodes and the edges between them. Warps change the edges' types only.
type Board struct {
	// Nodes is their number.
	Nodes int
	// Ends of each edge: the nodes that it joins.
	Ends [][2]int
	// Incident has for each node the numbers of its edges.
	Incident [][]int
	// Neighbours has for each node the nodes at the other ends, in order.
	Neighbours [][]int
}

// ParseEdges reads the edge string: the board, and the types of its edges.
func ParseEdges(text string) (*Board, []byte) {
	board := &Board{}
	var types []byte
	for at := 0; at < len(text); at += 5 {
		types = append(types, text[at])
		one, other := judgebot.Number(text[at+1:at+3]), judgebot.Number(text[at+3:at+5])
		board.Ends = append(board.Ends, [2]int{one, other})
		if one >= board.Nodes {
			board.Nodes = one + 1
		}
		if other >= board.Nodes {
			board.Nodes = other + 1
		}
	}
	board.link()
	return board, types
}

func (board *Board) link() {
	board.Incident = make([][]int, board.Nodes)
	board.Neighbours = make([][]int, board.Nodes)
	for edge, ends := range board.Ends {
		for index, node := range ends {
			board.Incident[node] = append(board.Incident[node], edge)
			board.Neighbours[node] = append(board.Neighbours[node], ends[1-index])
		}
	}
	for _, nodes := range board.Neighbours {
		sort.Ints(nodes)
	}
}

// EdgeBetween is the number of the edge between two nodes, or -1.
func (board *Board) EdgeBetween(one, other int) int {
	for _, edge := range board.Incident[one] {
		if board.Ends[edge][0] == other || board.Ends[edge][1] == other {
			return edge
		}
	}
	return -1
}

// formatNode writes a node as two digits.
func formatNode(node int) string {
	if node < 10 {
		return "0" + strconv.Itoa(node)
	}
	return strconv.Itoa(node)
}

// FormatEdges writes the edge string.
func FormatEdges(board *Board, types []byte) string {
	var text strings.Builder
	for edge, ends := range board.Ends {
		text.WriteByte(types[edge])
		text.WriteString(formatNode(ends[0]) + formatNode(ends[1]))
	}
	return text.String()
}
