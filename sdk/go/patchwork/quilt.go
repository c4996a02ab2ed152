package patchwork

import "math/bits"

// block is the number of columns and of rows that the option seven_by_seven rewards.
const block = 7

// Quilt is 9 by 9 squares: a number for each row, with a bit for each covered column.
type Quilt [Size]uint16

// Fits is true if a shape fits with its top left corner on a square.
func (quilt *Quilt) Fits(shape *Shape, column, row int) bool {
	if column+shape.Width > Size || row+shape.Height > Size {
		return false
	}
	for index, each := range shape.Rows {
		if quilt[row+index]&(each<<column) != 0 {
			return false
		}
	}
	return true
}

// Covered gives the quilt with a shape on it.
func (quilt Quilt) Covered(shape *Shape, column, row int) Quilt {
	for index, each := range shape.Rows {
		quilt[row+index] |= each << column
	}
	return quilt
}

// EmptySquares is the number of squares that are not covered.
func (quilt *Quilt) EmptySquares() int {
	empty := Size * Size
	for _, row := range quilt {
		empty -= bits.OnesCount16(row)
	}
	return empty
}

// IsCovered is true if a square is covered.
func (quilt *Quilt) IsCovered(column, row int) bool {
	return quilt[row]>>column&1 == 1
}

// HasBlock is true if some block of 7 by 7 squares is fully covered.
func (quilt *Quilt) HasBlock() bool {
	for row := 0; row+block <= Size; row++ {
		common := ^uint16(0)
		for _, each := range quilt[row : row+block] {
			common &= each
		}
		pairs := common & (common >> 1)
		fours := pairs & (pairs >> 2)
		if fours&(fours>>3) != 0 {
			return true
		}
	}
	return false
}
