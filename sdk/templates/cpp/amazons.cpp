// judge: game=amazons
// A bot for Amazons in C++.
#include "bot.h"

struct Move {
    int from, to, arrow;
};

class MyBot : public Bot {
    // The board, with a border: `w` and `b` are amazons, `x` is burnt, `.` is empty, ` ` is outside.
    static constexpr int wide = 18;
    static constexpr int directions[8] = {1, -1, wide, -wide, wide + 1, -wide - 1, 1 - wide, wide - 1};
    std::string board;
    char me = 'w';

    // How many squares an amazon on this square can go to.
    int reach(int square) const {
        int count = 0;
        for (int direction : directions) {
            for (int s = square + direction; board[s] == '.'; s += direction) ++count;
        }
        return count;
    }

    // YOUR STRATEGY: how good this move is. The best one is played. The board is as after the move.
    int value(const Move& move) const { return reach(move.to); }

    // What follows finds the moves and talks with the judge. `log("…")` writes to your log.

    std::string answer(const std::string& question) override {
        readBoard(words(question)[1]);
        me = words(question)[2][0];
        Move best{};
        int bestValue = -1000000;
        for (const Move& move : moves()) {
            std::string before = board;
            play(move);
            if (int found = value(move); found > bestValue) {
                bestValue = found;
                best = move;
            }
            board = before;
        }
        return name(best.from) + "-" + name(best.to) + "/" + name(best.arrow);
    }

    void play(const Move& move) {
        board[move.from] = '.';
        board[move.to] = me;
        board[move.arrow] = 'x';
    }

    // Squares that can be reached from this one in a straight line.
    std::vector<int> ways(int from) const {
        std::vector<int> found;
        for (int direction : directions) {
            for (int s = from + direction; board[s] == '.'; s += direction) found.push_back(s);
        }
        return found;
    }

    std::vector<Move> moves() {
        std::vector<Move> found;
        for (int from = 0; from < wide * wide; ++from) {
            if (board[from] != me) continue;
            for (int to : ways(from)) {
                board[from] = '.';
                for (int arrow : ways(to)) found.push_back({from, to, arrow});
                board[from] = me;
            }
        }
        return found;
    }

    void readBoard(const std::string& text) {
        board.assign(wide * wide, ' ');
        int row = 1, column = 1, empty = 0;
        for (char letter : text) row += letter == '/';
        for (char letter : text + "/") {
            if (letter >= '0' && letter <= '9') {
                empty = 10 * empty + (letter - '0');
                continue;
            }
            for (; empty > 0; --empty) board[row * wide + column++] = '.';
            if (letter == '/') {
                --row;
                column = 1;
            } else {
                board[row * wide + column++] = letter;
            }
        }
    }

    static std::string name(int square) {
        return char('a' + square % wide - 1) + std::to_string(square / wide);
    }
};
