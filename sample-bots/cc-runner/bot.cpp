// Makes a move that wins if it sees one. Otherwise it runs: it makes the move that brings its man
// farthest towards its corner; of equal ones the first that it found.
#include <cctype>
#include <string>
#include <vector>

#include "bot.h"

struct Square {
    int row, column;
};

class MyBot : public Bot {
public:
    // `move? 0010101…`: the position holds all facts that the bot needs.
    std::string answer(const std::string &question) override {
        readBoard(words(question)[1]);
        bestValue = -1000;
        for (int row = 0; row < size; ++row)
            for (int column = 0; column < size; ++column)
                if (board[row][column] == 'm') tryMan({row, column});
        return textOf(bestPath);
    }

private:
    // The board as we see it: our corner is at the bottom right, so for seat 2 it is turned round.
    // 'm' is one of my men, 't' one of theirs, '.' an empty square.
    void readBoard(const std::string &position) {
        const int squares = static_cast<int>(position.size()) / 2;
        size = 1;
        while (size * size < squares) ++size;
        turned = position[0] == '1';
        board.assign(size, std::string(size, '.'));
        theirs = 0;
        for (int i = 0; i < squares; ++i) {
            const std::string man = position.substr(1 + 2 * i, 2);
            if (man == "00") continue;
            const bool mine = (man == "11") == turned;
            const int at = turned ? squares - 1 - i : i;
            board[at / size][at % size] = mine ? 'm' : 't';
            if (!mine) ++theirs;
        }
    }

    // All moves of the man on `start`: three steps, and every chain of jumps.
    void tryMan(Square start) {
        path = {start};
        landings = 0;
        // While it moves, the man is not on the board.
        board[start.row][start.column] = '.';
        for (const Square &to : {Square{start.row + 1, start.column},
                                 Square{start.row, start.column + 1},
                                 Square{start.row + 1, start.column + 1}}) {
            if (isEmpty(to)) land(to, false, false);
        }
        tryJumps(false);
        board[start.row][start.column] = 'm';
    }

    // Every way to jump on from the end of the path. `taken`: the chain has taken a man already.
    void tryJumps(bool taken) {
        const Square from = path.back();
        for (int down = -1; down <= 1; ++down) {
            for (int right = -1; right <= 1; ++right) {
                const Square over = {from.row + down, from.column + right};
                const Square to = {over.row + down, over.column + right};
                if (!isEmpty(to) || isStart(to)) continue;
                char &man = board[over.row][over.column];
                if (man != 'm' && man != 't') continue;
                // The first enemy is taken. All others stay, as a capital letter: no man is jumped
                // over twice.
                const char before = man;
                const bool takes = man == 't' && !taken;
                man = takes ? '.' : static_cast<char>(std::toupper(man));
                land(to, taken || takes, true);
                man = before;
            }
        }
    }

    // The man lands: it may stop here, or continue after a jump.
    void land(Square to, bool taken, bool mayJumpOn) {
        if (landings == mostLandings) return;
        ++landings;
        path.push_back(to);
        const int value = valueOfStopping(taken);
        if (value > bestValue) {
            bestValue = value;
            bestPath = path;
        }
        if (mayJumpOn) tryJumps(taken);
        path.pop_back();
    }

    int valueOfStopping(bool taken) const {
        const Square start = path.front(), end = path.back();
        const bool inCorner = end.row == size - 1 && end.column == size - 1;
        const bool lastManLeft = taken && theirs == 2;
        if (inCorner || lastManLeft) return 1000;
        return (end.row + end.column) - (start.row + start.column);
    }

    bool isEmpty(Square at) const {
        return at.row >= 0 && at.row < size && at.column >= 0 && at.column < size &&
               board[at.row][at.column] == '.';
    }

    bool isStart(Square at) const {
        return at.row == path[0].row && at.column == path[0].column;
    }

    // `0,1>2,3>2,5`
    std::string textOf(const std::vector<Square> &squares) const {
        std::string text;
        for (const Square &at : squares) {
            if (!text.empty()) text += ">";
            const int row = turned ? size - 1 - at.row : at.row;
            const int column = turned ? size - 1 - at.column : at.column;
            text += std::to_string(row) + "," + std::to_string(column);
        }
        return text;
    }

    // Chains on a full board have very many continuations. This is the limit for each man.
    static const int mostLandings = 2000;

    int size;
    bool turned;
    std::vector<std::string> board;
    int theirs;

    // The current move, and the best so far.
    std::vector<Square> path, bestPath;
    int landings, bestValue;
};
