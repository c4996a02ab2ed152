// Likes it open: makes the move after which its amazons can go to the most squares, minus those
// that the other side's can go to; of equal moves the first that it found.
#include <cctype>
#include <string>
#include <vector>

#include "bot.h"

class MyBot : public Bot {
public:
    // `move? 3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w`: the board, and our colour.
    std::string answer(const std::string &question) override {
        const std::vector<std::string> said = words(question);
        me = said[2][0];
        readBoard(said[1]);
        bestMove = "";
        for (int amazon : mine) tryAmazon(amazon);
        return bestMove;
    }

private:
    // Square number row * width + column, both from 1; a wall of burnt squares around the board
    // makes a check of its edges unnecessary.
    void readBoard(const std::string &rows) {
        int row = 1;
        for (char sign : rows) row += sign == '/';
        width = row + 2;
        directions = {1, -1, width, -width, width + 1, -width - 1, width - 1, 1 - width};
        board.assign(width * width, 'x');
        mine.clear();
        theirs.clear();

        // The highest row comes first. A number may have two digits.
        int column = 1, empty = 0;
        for (char sign : rows + '/') {
            if (std::isdigit(sign)) {
                empty = 10 * empty + (sign - '0');
                continue;
            }
            for (; empty > 0; --empty) board[row * width + column++] = '.';
            if (sign == '/') {
                --row;
                column = 1;
            } else {
                const int at = row * width + column++;
                board[at] = sign;
                if (sign != 'x') (sign == me ? mine : theirs).push_back(at);
            }
        }
    }

    // All moves of the amazon on `from`.
    void tryAmazon(int from) {
        board[from] = '.';
        int ofOthers = 0;
        for (int amazon : mine)
            if (amazon != from) ofOthers += squaresFrom(amazon);
        for (int amazon : theirs) ofOthers -= squaresFrom(amazon);
        for (int direction : directions) {
            for (int to = from + direction; board[to] == '.'; to += direction) {
                // For the others, our square is as good as burnt.
                const int openness = ofOthers - lossBy(to) + squaresFrom(to);
                board[to] = me;
                tryArrows(from, to, openness);
                board[to] = '.';
            }
        }
        board[from] = me;
    }

    // All arrows after the move of an amazon, which left the board this open for us.
    void tryArrows(int from, int to, int openness) {
        for (int direction : directions) {
            for (int arrow = to + direction; board[arrow] == '.'; arrow += direction) {
                const int value = openness - lossBy(arrow);
                if (bestMove.empty() || value > bestValue) {
                    bestValue = value;
                    bestMove = nameOf(from) + "-" + nameOf(to) + "/" + nameOf(arrow);
                }
            }
        }
    }

    // The number of squares that an amazon here can go to.
    int squaresFrom(int amazon) const {
        int count = 0;
        for (int direction : directions)
            for (int at = amazon + direction; board[at] == '.'; at += direction) ++count;
        return count;
    }

    // Our loss of openness with this square burnt. An amazon that sees the square loses it and all
    // squares behind it, so one look around it is enough, and no amazon is counted again.
    int lossBy(int arrow) const {
        int empty[8];
        char end[8];
        for (int i = 0; i < 8; ++i) {
            int at = arrow + directions[i];
            for (empty[i] = 0; board[at] == '.'; at += directions[i]) ++empty[i];
            end[i] = board[at];
        }
        int loss = 0;
        for (int i = 0; i < 8; ++i) {
            if (end[i] == 'x') continue;
            const int opposite = i ^ 1;
            const int lost = 1 + empty[opposite];
            loss += end[i] == me ? lost : -lost;
        }
        return loss;
    }

    // `d1`
    std::string nameOf(int at) const {
        return static_cast<char>('a' + at % width - 1) + std::to_string(at / width);
    }

    int width;
    std::vector<char> board;
    char me;
    std::vector<int> mine, theirs;
    // Each direction is next to its opposite.
    std::vector<int> directions;

    std::string bestMove;
    int bestValue;
};
