// Capturing & Conquering. The rules: judge/games/src/cc/README.md.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "judge/game.h"
#include "judge/mailbox.h"

namespace judge::cc {

using judge::columnOf;
using judge::rowOf;
using judge::squareAt;

// The game's name in the protocol.
constexpr const char *name = "cc";

// Most moves that legalMoves lists by default; hardly any position has as many.
constexpr std::size_t MOST_LISTED = 65536;

// The steps of seat 1, towards its corner; those of seat 2 are the opposite ones.
constexpr int STEPS[3] = {STRIDE, 1, STRIDE + 1};

// The eight directions of jumps, in the order in which they are tried.
constexpr int JUMPS[8] = {-STRIDE, 1, 1 - STRIDE, STRIDE + 1, STRIDE, -1, STRIDE - 1, -STRIDE - 1};

// A move: every square on a man's way, from its start to its end.
struct Move {
    std::vector<int> path;
};

// A position, and everything else that the bot knows of the round.
struct State {
    using Move = cc::Move;

    // The bot's seat: 1 runs to the bottom right corner, 2 to the top left.
    int seat = 1;
    // Rows and columns.
    int size = 8;
    // The contents of each square: EMPTY, or the seat of the man there.
    Board board = emptyBoard(0);
    // The seat on turn.
    int turn = 1;
    // Moves that the players have made, and after how many the game is drawn; 0 for no limit.
    int plies = 0, maxPlies = 0;
    // The move made last, if it is known.
    std::optional<Move> lastMove;
    // False until the first question, which is the first to show the random opening.
    bool known = false;

    // The state before the first question.
    static State start(const Greeting &greeting) {
        State state;
        const int size = number(greeting.option("size"));
        state.seat = greeting.seat;
        state.size = size;
        state.board = emptyBoard(size);
        for (int row = 0; row < size / 2; ++row) {
            for (int column = 0; row + column < size / 2; ++column) {
                state.board[squareAt(row, column)] = 1;
                state.board[squareAt(size - 1 - row, size - 1 - column)] = 2;
            }
        }
        state.maxPlies = number(greeting.option("max_plies"));
        state.known = greeting.option("opening") == "0";
        return state;
    }
};

// Reads a position as the question spells it; the bot has the seat on turn.
inline State parseState(const std::string &text) {
    State state;
    state.size = 1;
    while (1 + 2 * state.size * state.size < static_cast<int>(text.size())) ++state.size;
    state.board = emptyBoard(state.size);
    for (int index = 0; index < state.size * state.size; ++index) {
        const std::string man = text.substr(static_cast<std::size_t>(1 + 2 * index), 2);
        state.board[squareAt(index / state.size, index % state.size)] =
            man == "01" ? 1 : man == "11" ? 2 : EMPTY;
    }
    state.turn = state.seat = text[0] == '0' ? 1 : 2;
    state.known = true;
    return state;
}

// Writes a position as the question does.
inline std::string formatState(const State &state) {
    std::string text(1, static_cast<char>('0' + state.turn - 1));
    for (int index = 0; index < state.size * state.size; ++index) {
        const int content = state.board[squareAt(index / state.size, index % state.size)];
        text += content == 1 ? "01" : content == 2 ? "11" : "00";
    }
    return text;
}

// Reads a move such as `0,1>2,3>2,5`, and writes it.
inline Move parseMove(const std::string &text) {
    Move move;
    for (const std::string &square : split(text, '>')) {
        const Words numbers = split(square, ',');
        move.path.push_back(squareAt(number(numbers[0]), number(numbers[1])));
    }
    return move;
}
inline std::string formatMove(const Move &move) {
    std::string text;
    for (int square : move.path) {
        if (!text.empty()) text += '>';
        text += std::to_string(rowOf(square)) + "," + std::to_string(columnOf(square));
    }
    return text;
}

// The squares of a seat's men.
inline std::vector<int> men(const State &state, int seat) { return squaresWith(state.board, seat); }

// The corner that a seat runs to.
inline int target(const State &state, int seat) {
    return seat == 1 ? squareAt(state.size - 1, state.size - 1) : squareAt(0, 0);
}

// The square of the man that a move captures: the first enemy jumped over; 0 for none.
inline int captured(const State &state, const Move &move) {
    for (std::size_t i = 1; i < move.path.size(); ++i) {
        const int from = move.path[i - 1], to = move.path[i], over = (from + to) / 2;
        const bool jump = std::abs(rowOf(from) - rowOf(to)) == 2 ||
                          std::abs(columnOf(from) - columnOf(to)) == 2;
        // A step has no square in between.
        if (jump && state.board[over] == otherSeat(state.turn)) return over;
    }
    return 0;
}

// The search of one man's chains of jumps.
class Chains {
public:
    Chains(const State &state, std::vector<Move> &moves, std::size_t most)
        : board_(state.board), enemy_(otherSeat(state.turn)), moves_(moves), most_(most) {}

    // Lists every continuation of a chain.
    void from(const std::vector<int> &path, bool taken) {
        for (int jump : JUMPS) {
            const int over = path.back() + jump;
            const int man = board_[over];
            const bool isMan = (man == 1 || man == 2) && !jumped_[over];
            if (isMan && board_[over + jump] == EMPTY) go(path, over, over + jump, taken);
        }
    }

private:
    void go(const std::vector<int> &path, int over, int to, bool taken) {
        if (moves_.size() >= most_) return;
        const std::uint8_t man = board_[over];
        const bool takes = !taken && man == enemy_;
        // The first enemy jumped over is gone at once, so that its square can be landed on.
        if (takes) board_[over] = EMPTY;
        jumped_[over] = true;
        std::vector<int> longer = path;
        longer.push_back(to);
        moves_.push_back({longer});
        from(longer, taken || takes);
        jumped_[over] = false;
        board_[over] = man;
    }

    // Squares that were jumped over keep the man that was there, but are marked.
    Board board_;
    std::array<bool, STRIDE * STRIDE> jumped_{};
    int enemy_;
    std::vector<Move> &moves_;
    std::size_t most_;
};

// The result, but for a side on turn that cannot move.
inline int decided(const State &state) {
    const int mover = otherSeat(state.turn);
    if (state.board[target(state, mover)] == mover) return mover;
    if (men(state, state.turn).size() == 1) return men(state, mover).size() == 1 ? DRAW : mover;
    return state.maxPlies > 0 && state.plies >= state.maxPlies ? DRAW : OPEN;
}

// The legal moves, at most `most`: man by man, its steps before its chains; none at the end.
inline std::vector<Move> legalMoves(const State &state, std::size_t most = MOST_LISTED) {
    std::vector<Move> moves;
    if (decided(state) != OPEN) return moves;
    Chains chains(state, moves, most);
    for (int from : men(state, state.turn)) {
        for (int step : STEPS) {
            const int to = from + (state.turn == 1 ? step : -step);
            if (state.board[to] == EMPTY && moves.size() < most) moves.push_back({{from, to}});
        }
        chains.from({from}, false);
    }
    return moves;
}

// The state after a legal move.
inline State apply(const State &state, const Move &move) {
    State next = state;
    next.board[move.path.front()] = EMPTY;
    next.board[move.path.back()] = static_cast<std::uint8_t>(state.turn);
    if (const int taken = captured(state, move); taken > 0) next.board[taken] = EMPTY;
    next.turn = otherSeat(state.turn);
    ++next.plies;
    next.lastMove = move;
    return next;
}

// The seat that has won, DRAW, or OPEN.
inline int result(const State &state) {
    const int ended = decided(state);
    return ended == OPEN && legalMoves(state, 1).empty() ? DRAW : ended;
}

// The scores: 2 for a win, 1 for a draw, also while the game is open.
inline Scores score(const State &state) {
    const int winner = result(state);
    if (winner == OPEN || winner == DRAW) return {1, 1};
    return {winner == 1 ? 2 : 0, winner == 2 ? 2 : 0};
}

// The state after a notice, and with a question.
inline State hear(const State &state, const Words &words) {
    if (words[0] != "opponent") return state;
    if (state.known) return apply(state, parseMove(words[1]));
    State next = state;
    next.lastMove = parseMove(words[1]);
    ++next.plies;
    return next;
}
inline State ask(const State &state, const Words &words) {
    State next = parseState(words[1]);
    next.seat = state.seat;
    next.plies = state.plies;
    next.maxPlies = state.maxPlies;
    next.lastMove = state.lastMove;
    return next;
}

}  // namespace judge::cc
