// Package mailbox has square boards of up to 16 by 16 in one array with a border around them: a
// walk over the board ends at a Wall by itself. A square is its index, the same on boards of every
// size.
package mailbox

// Stride is the number of cells from a square to the one in the next row.
const Stride = 18

// Contents of a cell that all games share.
const (
	// Empty is a square with nothing on it.
	Empty = 0
	// Wall is a cell beyond the edge of the board.
	Wall = 9
)

// Board has the contents of each square.
type Board [Stride * Stride]uint8

// SquareAt is the square in a row and a column, both counted from 0.
func SquareAt(row, column int) int {
	return (row+1)*Stride + column + 1
}

// RowOf is the row of a square, from 0.
func RowOf(square int) int {
	return square/Stride - 1
}

// ColumnOf is the column of a square, from 0.
func ColumnOf(square int) int {
	return square%Stride - 1
}

// NewBoard makes an empty board with size rows and size columns.
func NewBoard(size int) Board {
	var board Board
	for square := range board {
		row, column := RowOf(square), ColumnOf(square)
		if row < 0 || row >= size || column < 0 || column >= size {
			board[square] = Wall
		}
	}
	return board
}

// SquaresWith lists the squares with this content, row by row.
func (board *Board) SquaresWith(content int) []int {
	var squares []int
	for square, found := range board {
		if int(found) == content {
			squares = append(squares, square)
		}
	}
	return squares
}
