package agamemnon

// FateString is a string of fate.
type FateString struct {
	// Type is `S`, `L` or `F`.
	Type byte
	// Edges by their numbers.
	Edges []int
	// Nodes at their ends.
	Nodes []int
	// Winner is the seat that wins it, 0 for a tie.
	Winner int
}

// Strings lists the strings that have a tile.
func Strings(state State) []FateString {
	seen := make([]bool, len(state.Types))
	var found []FateString
	for edge, kind := range state.Types {
		if seen[edge] || kind == 'E' {
			continue
		}
		if each := follow(&state, edge, seen); hasTile(&state, each.Nodes) {
			found = append(found, each)
		}
	}
	return found
}

func hasTile(state *State, nodes []int) bool {
	for _, node := range nodes {
		if state.Owners[node] > 0 {
			return true
		}
	}
	return false
}

// follow finds the string that an edge belongs to.
func follow(state *State, first int, seen []bool) FateString {
	found := FateString{Type: state.Types[first], Edges: []int{first}}
	isMember := make([]bool, state.Board.Nodes)
	seen[first] = true
	for index := 0; index < len(found.Edges); index++ {
		for _, node := range state.Board.Ends[found.Edges[index]] {
			if isMember[node] {
				continue
			}
			isMember[node] = true
			found.Nodes = append(found.Nodes, node)
			found.extend(state, node, seen)
		}
	}
	found.Winner = winner(state, found.Type, found.Nodes)
	return found
}

// extend adds the edges that a node joins: any tile does but a Weft.
func (found *FateString) extend(state *State, node int, seen []bool) {
	if state.Owners[node] == 0 || state.Kinds[node] == Weft {
		return
	}
	for _, edge := range state.Board.Incident[node] {
		if !seen[edge] && state.Types[edge] == found.Type {
			seen[edge] = true
			found.Edges = append(found.Edges, edge)
		}
	}
}

func winner(state *State, kind byte, nodes []int) int {
	if kind == 'L' {
		return highestLeader(state, nodes)
	}
	var sums [3]int
	for _, node := range nodes {
		switch {
		case state.Owners[node] == 0:
		case kind == 'F':
			sums[state.Owners[node]]++
		default:
			sums[state.Owners[node]] += Strength(state.Kinds[node])
		}
	}
	return larger(sums[1], sums[2])
}

func highestLeader(state *State, nodes []int) int {
	for leader := byte('a'); leader <= 'e'; leader++ {
		var has [3]int
		for _, node := range nodes {
			if state.Kinds[node] == leader {
				has[state.Owners[node]] = 1
			}
		}
		if first := larger(has[1], has[2]); first > 0 {
			return first
		}
	}
	return 0
}

// larger is the seat with the larger number.
func larger(one, two int) int {
	switch {
	case one > two:
		return 1
	case one < two:
		return 2
	default:
		return 0
	}
}

// Score gives the edges that seat 1 and seat 2 win, as if the game ended now.
func Score(state State) [2]int {
	var sums [3]int
	for _, each := range Strings(state) {
		sums[each.Winner] += len(each.Edges)
	}
	return [2]int{sums[1], sums[2]}
}
