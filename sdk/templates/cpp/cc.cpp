// judge: game=cc
// A bot for Capturing & Conquering in C++.
#include "bot.h"

struct Move {
    int row, column, toRow, toColumn;
    bool takes;
};

class MyBot : public Bot {
    // The board: 0 is empty, 1 a man of yours, 2 one of the other side.
    std::vector<std::vector<int>> board;
    int size = 0;
    // 1 if you run down and right, -1 if you run up and left.
    int forward = 1;

    // YOUR STRATEGY: how good this move is. The best one is played.
    int value(const Move& move) const {
        int run = forward * (move.toRow + move.toColumn - move.row - move.column);
        return 2 * run + 5 * move.takes;
    }

    // What follows finds the moves and talks with the judge. `log("…")` writes to your log.

    std::string answer(const std::string& question) override {
        read(words(question)[1]);
        std::vector<Move> all = moves();
        Move best = all[0];
        for (const Move& move : all) {
            if (value(move) > value(best)) best = move;
        }
        return name(best.row, best.column) + ">" + name(best.toRow, best.toColumn);
    }

    static std::string name(int row, int column) {
        return std::to_string(row) + "," + std::to_string(column);
    }

    void read(const std::string& position) {
        char me = position[0];
        forward = me == '0' ? 1 : -1;
        for (size = 5; 1 + 2 * size * size < int(position.size()); ++size) {
        }
        board.assign(size, std::vector<int>(size, 0));
        for (int at = 0; at < size * size; ++at) {
            char owner = position[1 + 2 * at], man = position[2 + 2 * at];
            if (man == '1') board[at / size][at % size] = owner == me ? 1 : 2;
        }
    }

    bool isEmpty(int row, int column) const {
        return row >= 0 && row < size && column >= 0 && column < size && board[row][column] == 0;
    }

    // Jumps are single ones here; a chain, such as `0,1>2,3>2,5`, is allowed as well.
    std::vector<Move> moves() const {
        std::vector<Move> found;
        for (int at = 0; at < size * size; ++at) {
            int row = at / size, column = at % size;
            if (board[row][column] != 1) continue;
            for (int way = 0; way < 9; ++way) {
                int down = way / 3 - 1, right = way % 3 - 1;
                int r = row + down, c = column + right;
                if (down == 0 && right == 0) continue;
                if (isEmpty(r, c)) {
                    bool step = down * forward >= 0 && right * forward >= 0;
                    if (step) found.push_back({row, column, r, c, false});
                } else if (isEmpty(r + down, c + right)) {
                    found.push_back({row, column, r + down, c + right, board[r][c] == 2});
                }
            }
        }
        return found;
    }
};
