// Square boards of up to 16 by 16 in one array with a border around them: a walk over the board
// ends at a WALL by itself. A square is its index, the same on boards of every size.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace judge {

// Cells from a square to the one in the next row.
constexpr int STRIDE = 18;
// Nothing on the square.
constexpr std::uint8_t EMPTY = 0;
// Beyond the edge of the board.
constexpr std::uint8_t WALL = 9;

// The contents of each square.
using Board = std::array<std::uint8_t, STRIDE * STRIDE>;

// The square in a row and a column, both counted from 0; and back.
constexpr int squareAt(int row, int column) { return (row + 1) * STRIDE + column + 1; }
constexpr int rowOf(int square) { return square / STRIDE - 1; }
constexpr int columnOf(int square) { return square % STRIDE - 1; }

// An empty board.
inline Board emptyBoard(int size) {
    Board board;
    board.fill(WALL);
    for (int row = 0; row < size; ++row) {
        for (int column = 0; column < size; ++column) board[squareAt(row, column)] = EMPTY;
    }
    return board;
}

// The squares with this content, row by row.
inline std::vector<int> squaresWith(const Board &board, int content) {
    std::vector<int> squares;
    for (int square = 0; square < STRIDE * STRIDE; ++square) {
        if (board[square] == content) squares.push_back(square);
    }
    return squares;
}

}  // namespace judge
