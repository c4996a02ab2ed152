package patchwork

import "strings"

// Size is the number of rows and of columns of a quilt.
const Size = 9

// Shape is a patch in one orientation.
type Shape struct {
	// Orientation from 0 to 7.
	Orientation int
	// Rows from the top; a bit for each column.
	Rows []uint16
	// Width and Height of the box around it.
	Width, Height int
}

// Patch is a patch of the circle, or the special one.
type Patch struct {
	// Letter that names it.
	Letter byte
	// Cost in buttons, Time in squares of the track, Income in buttons at each income square.
	Cost, Time, Income int
	// Squares that it covers.
	Squares int
	// Shapes in the orientations A to H.
	Shapes []Shape
	// Distinct are the shapes without those that look like an earlier one.
	Distinct []Shape
}

// table has letter, rows from the top in orientation A, cost, time, income.
var table = []struct {
	letter, rows       string
	cost, time, income int
}{
	{"A", "#/#", 2, 1, 0},
	{"B", ".#/##", 1, 3, 0},
	{"C", ".#/##", 3, 1, 0},
	{"D", "#/#/#", 2, 2, 0},
	{"E", ".#/##/#.", 3, 2, 1},
	{"F", "#./##/##", 2, 2, 0},
	{"G", "..#../#####/..#..", 1, 4, 1},
	{"H", ".#./###/.#./.#.", 0, 3, 1},
	{"I", "##/##", 6, 5, 2},
	{"J", "#./##/##/.#", 4, 2, 0},
	{"K", ".#/##/.#", 2, 2, 0},
	{"L", "##/.#/.#/##", 1, 5, 1},
	{"M", "#/#/#/#", 3, 3, 1},
	{"N", "#####", 7, 1, 1},
	{"O", "#./#./##/#.", 3, 4, 1},
	{"P", "#./##/##/#.", 7, 4, 2},
	{"Q", ".#./###/#.#", 3, 6, 2},
	{"R", ".#./.##/##./.#.", 2, 1, 0},
	{"S", ".#/.#/##", 4, 6, 2},
	{"T", ".#./###/.#.", 5, 4, 2},
	{"U", "#.#/###/#.#", 2, 3, 0},
	{"V", ".#./###/###/.#.", 5, 3, 1},
	{"W", ".#/.#/.#/##", 10, 3, 2},
	{"X", ".#./.#./###", 5, 5, 2},
	{"Y", "##/##/.#/.#", 10, 5, 3},
	{"Z", "##./.#./.#./.##", 1, 2, 0},
	{"a", "#./#./##", 4, 2, 1},
	{"b", ".#./.#./.#./###", 7, 2, 2},
	{"c", "#../##./.##", 10, 4, 3},
	{"d", "#.#/###", 1, 2, 0},
	{"e", ".#/.#/##/#.", 2, 3, 1},
	{"f", ".##/##.", 7, 6, 3},
	{"g", ".##/.##/##.", 8, 6, 3},
	{"h", "#", 0, 0, 0},
}

// patches by their letters.
var patches = func() map[byte]*Patch {
	made := make(map[byte]*Patch)
	for _, line := range table {
		shapes := makeShapes(strings.Split(line.rows, "/"))
		made[line.letter[0]] = &Patch{
			Letter: line.letter[0], Cost: line.cost, Time: line.time, Income: line.income,
			Squares: strings.Count(line.rows, "#"), Shapes: shapes, Distinct: distinct(shapes),
		}
	}
	return made
}()

// PatchOf is the patch with this letter; `h` is the special one. It is nil for other letters.
func PatchOf(letter byte) *Patch {
	return patches[letter]
}

func makeShapes(rows []string) []Shape {
	var shapes []Shape
	for orientation := 0; orientation < 8; orientation++ {
		lines := oriented(rows, orientation)
		shape := Shape{Orientation: orientation, Width: len(lines[0]), Height: len(lines)}
		for _, line := range lines {
			shape.Rows = append(shape.Rows, bitsOf(line))
		}
		shapes = append(shapes, shape)
	}
	return shapes
}

func distinct(shapes []Shape) []Shape {
	var found []Shape
	for _, shape := range shapes {
		if !shape.isAmong(found) {
			found = append(found, shape)
		}
	}
	return found
}

func (shape *Shape) isAmong(others []Shape) bool {
	for index := range others {
		if shape.LooksLike(&others[index]) {
			return true
		}
	}
	return false
}

// LooksLike is true if both cover the same squares.
func (shape *Shape) LooksLike(other *Shape) bool {
	if shape.Width != other.Width || shape.Height != other.Height {
		return false
	}
	for index, row := range shape.Rows {
		if row != other.Rows[index] {
			return false
		}
	}
	return true
}

// oriented gives the rows in an orientation: E to H are mirrored before they turn.
func oriented(rows []string, orientation int) []string {
	if orientation >= 4 {
		rows = mirrored(rows)
	}
	for turns := orientation % 4; turns > 0; turns-- {
		rows = turned(rows)
	}
	return rows
}

func mirrored(rows []string) []string {
	result := make([]string, len(rows))
	for index, row := range rows {
		for column := range row {
			result[index] = row[column:column+1] + result[index]
		}
	}
	return result
}

// turned turns a quarter clockwise.
func turned(rows []string) []string {
	result := make([]string, len(rows[0]))
	for column := range result {
		for _, row := range rows {
			result[column] = row[column:column+1] + result[column]
		}
	}
	return result
}

func bitsOf(row string) uint16 {
	var bits uint16
	for column := range row {
		if row[column] == '#' {
			bits |= 1 << column
		}
	}
	return bits
}
