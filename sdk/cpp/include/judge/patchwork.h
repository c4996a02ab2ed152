// Patchwork. The rules: judge/games/src/patchwork/README.md.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "judge/game.h"

namespace judge::patchwork {

// The game's name in the protocol.
constexpr const char *name = "patchwork";

// Rows and columns of a quilt; the last square of the track.
constexpr int SIDE = 9, LAST = 53;

// Squares that pay the income of the quilt, and those that give a special patch to the first player
// there.
constexpr int INCOME[9] = {5, 11, 17, 23, 29, 35, 41, 47, 53};
constexpr int SPECIAL[5] = {20, 26, 32, 44, 50};

// The letter of the special patch.
constexpr char SPECIAL_PATCH = 'h';

// A patch in one orientation, 0 to 7: a bit for each column in each of its rows.
struct Shape {
    int orientation = 0;
    std::vector<int> rows;
    int width = 0, height = 0;

    bool looksLike(const Shape &other) const { return width == other.width && rows == other.rows; }
};

// A patch: its price in buttons and squares of the track, its income at each income square, the
// number of its squares, its shapes in the orientations A to H, and these without repetitions.
struct Patch {
    char letter = ' ';
    int cost = 0, time = 0, income = 0, squares = 0;
    std::vector<Shape> shapes, distinct;
};

namespace table {

struct Line {
    char letter;
    const char *rows;
    int cost, time, income;
};

constexpr Line LINES[] = {
    {'A', "#/#", 2, 1, 0},
    {'B', ".#/##", 1, 3, 0},
    {'C', ".#/##", 3, 1, 0},
    {'D', "#/#/#", 2, 2, 0},
    {'E', ".#/##/#.", 3, 2, 1},
    {'F', "#./##/##", 2, 2, 0},
    {'G', "..#../#####/..#..", 1, 4, 1},
    {'H', ".#./###/.#./.#.", 0, 3, 1},
    {'I', "##/##", 6, 5, 2},
    {'J', "#./##/##/.#", 4, 2, 0},
    {'K', ".#/##/.#", 2, 2, 0},
    {'L', "##/.#/.#/##", 1, 5, 1},
    {'M', "#/#/#/#", 3, 3, 1},
    {'N', "#####", 7, 1, 1},
    {'O', "#./#./##/#.", 3, 4, 1},
    {'P', "#./##/##/#.", 7, 4, 2},
    {'Q', ".#./###/#.#", 3, 6, 2},
    {'R', ".#./.##/##./.#.", 2, 1, 0},
    {'S', ".#/.#/##", 4, 6, 2},
    {'T', ".#./###/.#.", 5, 4, 2},
    {'U', "#.#/###/#.#", 2, 3, 0},
    {'V', ".#./###/###/.#.", 5, 3, 1},
    {'W', ".#/.#/.#/##", 10, 3, 2},
    {'X', ".#./.#./###", 5, 5, 2},
    {'Y', "##/##/.#/.#", 10, 5, 3},
    {'Z', "##./.#./.#./.##", 1, 2, 0},
    {'a', "#./#./##", 4, 2, 1},
    {'b', ".#./.#./.#./###", 7, 2, 2},
    {'c', "#../##./.##", 10, 4, 3},
    {'d', "#.#/###", 1, 2, 0},
    {'e', ".#/.#/##/#.", 2, 3, 1},
    {'f', ".##/##.", 7, 6, 3},
    {'g', ".##/.##/##.", 8, 6, 3},
    {'h', "#", 0, 0, 0},
};

// Turns a quarter clockwise.
inline Words turned(const Words &rows) {
    Words next(rows[0].size());
    for (std::size_t column = 0; column < next.size(); ++column) {
        for (std::size_t row = rows.size(); row-- > 0;) next[column] += rows[row][column];
    }
    return next;
}

// The rows in an orientation: E to H are mirrored before they turn.
inline Shape makeShape(Words rows, int orientation) {
    if (orientation >= 4) {
        for (std::string &row : rows) std::reverse(row.begin(), row.end());
    }
    for (int turns = orientation % 4; turns > 0; --turns) rows = turned(rows);
    Shape shape{orientation, {}, static_cast<int>(rows[0].size()), static_cast<int>(rows.size())};
    for (const std::string &row : rows) {
        int bits = 0;
        for (std::size_t column = 0; column < row.size(); ++column) {
            if (row[column] == '#') bits |= 1 << column;
        }
        shape.rows.push_back(bits);
    }
    return shape;
}

inline Patch makePatch(const Line &line) {
    Patch patch{line.letter, line.cost, line.time, line.income, 0, {}, {}};
    const std::string text = line.rows;
    patch.squares = static_cast<int>(std::count(text.begin(), text.end(), '#'));
    for (int orientation = 0; orientation < 8; ++orientation) {
        patch.shapes.push_back(makeShape(split(text, '/'), orientation));
        const Shape &shape = patch.shapes.back();
        const auto same = [&shape](const Shape &other) { return other.looksLike(shape); };
        if (std::none_of(patch.distinct.begin(), patch.distinct.end(), same)) {
            patch.distinct.push_back(shape);
        }
    }
    return patch;
}

}  // namespace table

// Every patch, A to Z, a to g, and `h`.
inline const std::vector<Patch> &patches() {
    static const std::vector<Patch> all = [] {
        std::vector<Patch> made;
        for (const table::Line &line : table::LINES) made.push_back(table::makePatch(line));
        return made;
    }();
    return all;
}

// The patch with this letter.
inline const Patch &patch(char letter) {
    return patches()[static_cast<std::size_t>(letter <= 'Z' ? letter - 'A' : letter - 'a' + 26)];
}

// A quilt: a number for each row, with a bit for each covered column.
using Quilt = std::array<int, SIDE>;

// True if a shape fits with its top left corner on this square.
inline bool fits(const Quilt &quilt, const Shape &shape, int column, int row) {
    if (column + shape.width > SIDE || row + shape.height > SIDE) return false;
    for (int i = 0; i < shape.height; ++i) {
        if (quilt[row + i] & shape.rows[i] << column) return false;
    }
    return true;
}

// The quilt with a shape on it.
inline Quilt covered(Quilt quilt, const Shape &shape, int column, int row) {
    for (int i = 0; i < shape.height; ++i) quilt[row + i] |= shape.rows[i] << column;
    return quilt;
}

// True if a square is covered; the number of squares that are not.
inline bool isCovered(const Quilt &quilt, int column, int row) { return quilt[row] >> column & 1; }
inline int emptySquares(const Quilt &quilt) {
    int empty = SIDE * SIDE;
    for (int row : quilt) empty -= __builtin_popcount(static_cast<unsigned>(row));
    return empty;
}

// True if some block of 7 by 7 squares is fully covered.
inline bool hasBlock(const Quilt &quilt) {
    for (int row = 0; row + 7 <= SIDE; ++row) {
        int common = (1 << SIDE) - 1;
        for (int i = 0; i < 7; ++i) common &= quilt[row + i];
        const int pairs = common & common >> 1, fours = pairs & pairs >> 2;
        if (fours & fours >> 3) return true;
    }
    return false;
}

// A move: a patch with the top left corner of its box and its orientation (0 to 7), or ADVANCE.
struct Move {
    char patch = '.';
    int column = 0, row = 0, orientation = 0;

    bool isAdvance() const { return patch == '.'; }
};

// The move that advances to the square after the other token.
constexpr Move ADVANCE{};

// The possessions of a player.
struct Side {
    Quilt quilt{};
    // The square of the time token.
    int time = 0;
    int buttons = 5;
    // Buttons that each income square brings.
    int income = 0;
};

// A position, and everything else that the bot knows of the round.
struct State {
    using Move = patchwork::Move;

    // The bot's seat.
    int seat = 1;
    // True if the first full block of 7 by 7 squares earns 7 points.
    bool sevenBySeven = false;
    // The patches that are left, from the neutral token on: the first three are on offer.
    std::string circle;
    // The sides of seat 1 and seat 2.
    Side sides[2];
    // The seat on turn; once the game is over, the one that moved last.
    int turn = 1;
    // True if the seat on turn must lay a special patch now.
    bool pending = false;
    // The seat that was first on the last square, and that of the bonus for the first block, or 0.
    int firstAtEnd = 0, firstBlock = 0;
    // Characters of the text of the game so far.
    std::size_t length = 0;
    // The move made last.
    std::optional<Move> lastMove;

    // The state before the circle is known.
    static State start(const Greeting &greeting) {
        State state;
        state.seat = greeting.seat;
        state.sevenBySeven = greeting.option("seven_by_seven") == "true";
        return state;
    }
};

// Reads a move such as `BDCA` or `.`, and writes it.
inline Move parseMove(const std::string &text) {
    if (text == ".") return ADVANCE;
    return {text[0], text[1] - 'A', text[2] - 'A', text[3] - 'A'};
}
inline std::string formatMove(const Move &move) {
    if (move.isAdvance()) return ".";
    const auto letter = [](int at) { return static_cast<char>('A' + at); };
    return {move.patch, letter(move.column), letter(move.row), letter(move.orientation)};
}

// Reads moves that follow each other without a space.
inline std::vector<Move> parseMoves(const std::string &text) {
    std::vector<Move> moves;
    for (std::size_t at = 0; at < text.size(); at += text[at] == '.' ? 1 : 4) {
        moves.push_back(parseMove(text[at] == '.' ? "." : text.substr(at, 4)));
    }
    return moves;
}

// The patches on offer.
inline std::vector<Patch> offer(const State &state) {
    std::vector<Patch> offered;
    for (char letter : state.circle.substr(0, 3)) offered.push_back(patch(letter));
    return offered;
}

// True if both tokens are on the last square and no special patch is pending.
inline bool isOver(const State &state) {
    return state.sides[0].time == LAST && state.sides[1].time == LAST && !state.pending;
}

// The legal moves, one for each shape and place: by patch, orientation, row and column; ADVANCE
// comes last.
inline std::vector<Move> legalMoves(const State &state) {
    std::vector<Move> moves;
    if (isOver(state)) return moves;
    const Side &own = state.sides[state.turn - 1];
    const std::string letters = state.pending ? "h" : state.circle.substr(0, 3);
    for (char letter : letters) {
        const Patch &each = patch(letter);
        if (each.cost > own.buttons && !state.pending) continue;
        for (const Shape &shape : each.distinct) {
            for (int row = 0; row + shape.height <= SIDE; ++row) {
                for (int column = 0; column + shape.width <= SIDE; ++column) {
                    if (!fits(own.quilt, shape, column, row)) continue;
                    moves.push_back({letter, column, row, shape.orientation});
                }
            }
        }
    }
    if (!state.pending) moves.push_back(ADVANCE);
    return moves;
}

// Moves the token of the side on turn, and gives the rewards of the squares on the way.
inline void go(State &state, int steps) {
    Side &own = state.sides[state.turn - 1];
    const int from = own.time;
    const int furthest = std::max(from, state.sides[otherSeat(state.turn) - 1].time);
    own.time = std::min(from + steps, LAST);
    for (int square : INCOME) {
        if (from < square && square <= own.time) own.buttons += own.income;
    }
    bool earned = false;
    for (int square : SPECIAL) earned |= furthest < square && square <= own.time;
    // On a full quilt the special patch is lost.
    state.pending = earned && emptySquares(own.quilt) > 0;
    if (own.time == LAST && state.firstAtEnd == 0) state.firstAtEnd = state.turn;
}

// Lays a patch for the side on turn.
inline void lay(State &state, const Move &move) {
    Side &own = state.sides[state.turn - 1];
    const Patch &laid = patch(move.patch);
    own.quilt = covered(own.quilt, laid.shapes[move.orientation], move.column, move.row);
    own.buttons -= laid.cost;
    own.income += laid.income;
    if (state.sevenBySeven && state.firstBlock == 0 && hasBlock(own.quilt)) {
        state.firstBlock = state.turn;
    }
    if (laid.letter == SPECIAL_PATCH) {
        state.pending = false;
        return;
    }
    const std::size_t at = state.circle.find(laid.letter);
    state.circle = state.circle.substr(at + 1) + state.circle.substr(0, at);
    go(state, laid.time);
}

// The state after a legal move.
inline State apply(const State &state, const Move &move) {
    State next = state;
    const int other = otherSeat(state.turn);
    next.lastMove = move;
    next.length += move.isAdvance() ? 1 : 4;
    if (move.isAdvance()) {
        Side &own = next.sides[state.turn - 1];
        const int steps = std::min(next.sides[other - 1].time + 1, LAST) - own.time;
        own.buttons += steps;
        go(next, steps);
    } else {
        lay(next, move);
    }
    // The player further back moves; on equal squares the one who came there last.
    const bool isBehind = next.sides[other - 1].time < next.sides[state.turn - 1].time;
    if (!next.pending && isBehind) next.turn = other;
    return next;
}

// The scores, as if the game ended now.
inline Scores score(const State &state) {
    const auto of = [&state](int seat) {
        const Side &side = state.sides[seat - 1];
        return side.buttons - 2 * emptySquares(side.quilt) + (state.firstBlock == seat ? 7 : 0);
    };
    return {of(1), of(2)};
}

// The seat that has won, or OPEN; with equal scores the first at the end.
inline int result(const State &state) {
    if (!isOver(state)) return OPEN;
    const int lead = score(state).lead(1);
    return lead == 0 ? state.firstAtEnd : lead > 0 ? 1 : 2;
}

// The letters of a circle from the neutral token on, which starts after `A`.
inline std::string fromToken(const std::string &circle) {
    const std::size_t at = circle.find('A') + 1;
    return circle.substr(at) + circle.substr(0, at);
}

// The state after a notice; and with a question, which has all moves so far.
inline State hear(const State &state, const Words &words) {
    if (words[0] == "opponent") return apply(state, parseMove(words[1]));
    State next = state;
    if (words[0] == "circle") next.circle = fromToken(words[1]);
    return next;
}
inline State ask(State state, const Words &words) {
    if (words[1] == "-") return state;
    for (const Move &move : parseMoves(words[1].substr(state.length))) state = apply(state, move);
    return state;
}

// Reads `<circle> <all moves, or ->`; the bot has the seat on turn.
inline State parseState(const std::string &text) {
    const Words parts = split(text, ' ');
    State begun;
    begun.circle = fromToken(parts[0]);
    State state = ask(begun, {"move?", parts[1]});
    state.seat = state.turn;
    return state;
}

}  // namespace judge::patchwork
