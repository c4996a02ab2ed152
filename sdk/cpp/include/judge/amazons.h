// The Game of the Amazons. The rules: judge/games/src/amazons/README.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/game.h"
#include "judge/mailbox.h"

namespace judge::amazons {

using judge::columnOf;
using judge::rowOf;
using judge::squareAt;

// The game's name in the protocol.
constexpr const char *name = "amazons";

// A burnt square; an amazon is on the board as the number of its seat, 1 or 2.
constexpr std::uint8_t ARROW = 3;

// The eight directions, in the order in which moves are listed.
constexpr int DIRECTIONS[8] = {1,          -1,          STRIDE,     -STRIDE,
                               STRIDE + 1, -STRIDE - 1, 1 - STRIDE, STRIDE - 1};

// A move: which amazon goes where, and which square its arrow burns.
struct Move {
    int from = 0, to = 0, arrow = 0;
};

// A position, and everything else that the bot knows of the round.
struct State {
    using Move = amazons::Move;

    // The bot's seat: 1 is White, 2 is Black.
    int seat = 1;
    // Rows and columns.
    int size = 10;
    // The contents of each square.
    Board board = emptyBoard(0);
    // The seat on turn.
    int turn = 1;
    // The move made last, if it is known.
    std::optional<Move> lastMove;
    // False until the first question, which is the first to show the random opening.
    bool known = false;

    // The state before the first question.
    static State start(const Greeting &greeting);
};

// Reads a square such as `d1`, and writes it.
inline int parseSquare(const std::string &text) {
    return squareAt(number(text.substr(1)) - 1, text[0] - 'a');
}
inline std::string formatSquare(int square) {
    return static_cast<char>('a' + columnOf(square)) + std::to_string(rowOf(square) + 1);
}

// Reads a move such as `d1-d7/g7`, and writes it.
inline Move parseMove(const std::string &text) {
    const std::size_t dash = text.find('-'), slash = text.find('/');
    return {parseSquare(text.substr(0, dash)), parseSquare(text.substr(dash + 1, slash - dash - 1)),
            parseSquare(text.substr(slash + 1))};
}
inline std::string formatMove(const Move &move) {
    return formatSquare(move.from) + "-" + formatSquare(move.to) + "/" + formatSquare(move.arrow);
}

// Reads a position such as `1b2/3b/w3/2w1 w`; the bot has the seat on turn.
inline State parseState(const std::string &text) {
    const Words parts = split(text, ' '), lines = split(parts[0], '/');
    State state;
    state.size = static_cast<int>(lines.size());
    state.board = emptyBoard(state.size);
    for (int index = 0; index < state.size; ++index) {
        int square = squareAt(state.size - 1 - index, 0), empty = 0;
        for (char letter : lines[static_cast<std::size_t>(index)]) {
            if (letter >= '0' && letter <= '9') {
                empty = 10 * empty + (letter - '0');
                continue;
            }
            square += empty;
            empty = 0;
            state.board[square++] = letter == 'w' ? 1 : letter == 'b' ? 2 : ARROW;
        }
    }
    state.turn = state.seat = parts[1] == "w" ? 1 : 2;
    state.known = true;
    return state;
}

// Writes a position as the question does.
inline std::string formatState(const State &state) {
    std::string text;
    for (int row = state.size - 1; row >= 0; --row) {
        int empty = 0;
        for (int column = 0; column <= state.size; ++column) {
            const int content = column < state.size ? state.board[squareAt(row, column)] : WALL;
            if (content == EMPTY) {
                ++empty;
                continue;
            }
            if (empty > 0) text += std::to_string(empty);
            empty = 0;
            if (content != WALL) text += ".wbx"[content];
        }
        text += row > 0 ? '/' : ' ';
    }
    return text + ".wb"[state.turn];
}

inline State State::start(const Greeting &greeting) {
    State state;
    state.seat = greeting.seat;
    state.size = number(greeting.option("size"));
    state.board = emptyBoard(state.size);
    for (const std::string &square : split(greeting.option("white"), ',')) {
        state.board[parseSquare(square)] = 1;
    }
    for (const std::string &square : split(greeting.option("black"), ',')) {
        state.board[parseSquare(square)] = 2;
    }
    state.known = greeting.option("opening") == "0";
    return state;
}

// The squares of a seat's amazons.
inline std::vector<int> amazons(const State &state, int seat) {
    return squaresWith(state.board, seat);
}

// The squares that a queen on this one can go to.
inline std::vector<int> reach(const State &state, int from) {
    std::vector<int> squares;
    for (int step : DIRECTIONS) {
        for (int to = from + step; state.board[to] == EMPTY; to += step) squares.push_back(to);
    }
    return squares;
}

// The legal moves: by amazon, then by its new square, then by its arrow.
inline std::vector<Move> legalMoves(const State &state) {
    std::vector<Move> moves;
    State moved = state;
    for (int from : amazons(state, state.turn)) {
        moved.board[from] = EMPTY;
        for (int to : reach(state, from)) {
            for (int arrow : reach(moved, to)) moves.push_back({from, to, arrow});
        }
        moved.board[from] = static_cast<std::uint8_t>(state.turn);
    }
    return moves;
}

// The state after a legal move.
inline State apply(const State &state, const Move &move) {
    State next = state;
    next.board[move.from] = EMPTY;
    next.board[move.to] = static_cast<std::uint8_t>(state.turn);
    next.board[move.arrow] = ARROW;
    next.turn = otherSeat(state.turn);
    next.lastMove = move;
    return next;
}

// The seat that has won, or OPEN: a seat on turn that cannot move has lost.
inline int result(const State &state) {
    for (int from : amazons(state, state.turn)) {
        for (int step : DIRECTIONS) {
            if (state.board[from + step] == EMPTY) return OPEN;
        }
    }
    return otherSeat(state.turn);
}

// The scores: 1 for the winner.
inline Scores score(const State &state) {
    const int winner = result(state);
    return {winner == 1, winner == 2};
}

// The state after a notice, and with a question.
inline State hear(const State &state, const Words &words) {
    if (words[0] != "opponent") return state;
    if (state.known) return apply(state, parseMove(words[1]));
    State next = state;
    next.lastMove = parseMove(words[1]);
    return next;
}
inline State ask(const State &state, const Words &words) {
    State next = parseState(words[1] + " " + words[2]);
    next.seat = state.seat;
    next.lastMove = state.lastMove;
    return next;
}

}  // namespace judge::amazons
