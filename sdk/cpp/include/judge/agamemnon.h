// Agamemnon. The rules: judge/games/src/agamemnon/README.md.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "judge/game.h"

namespace judge::agamemnon {

// The game's name in the protocol.
constexpr const char *name = "agamemnon";

// Most moves that legalMoves lists by default: two Warps can have more.
constexpr std::size_t MOST_LISTED = 65536;

// The number of tiles of each kind that a side has, and their strengths, `a` to `j`.
constexpr int SUPPLY[10] = {1, 1, 1, 1, 1, 3, 2, 1, 2, 2};
constexpr int STRENGTH[10] = {1, 3, 4, 3, 2, 1, 2, 3, 0, 0};

// The kind that separates strings, and the one that exchanges the types of two edges.
constexpr char WEFT = 'i', WARP = 'j';

// Tiles that are placed in a game.
constexpr int ALL_TILES = 30;

// The two digits of a node.
inline std::string formatNode(int node) {
    return {static_cast<char>('0' + node / 10), static_cast<char>('0' + node % 10)};
}

// The nodes and the edges between them.
struct Net {
    int nodes = 0;
    // The two nodes that each edge joins.
    std::vector<std::array<int, 2>> ends;
    // For each node: the numbers of its edges, and the nodes at the other ends, in order.
    std::vector<std::vector<int>> incident, neighbours;

    // Reads the edge string, but for the types.
    explicit Net(const std::string &text = "") {
        for (std::size_t at = 0; at + 5 <= text.size(); at += 5) {
            ends.push_back({number(text.substr(at + 1, 2)), number(text.substr(at + 3, 2))});
            nodes = std::max({nodes, ends.back()[0] + 1, ends.back()[1] + 1});
        }
        incident.resize(static_cast<std::size_t>(nodes));
        neighbours.resize(static_cast<std::size_t>(nodes));
        for (std::size_t edge = 0; edge < ends.size(); ++edge) {
            for (int end : {0, 1}) {
                const auto node = static_cast<std::size_t>(ends[edge][end]);
                incident[node].push_back(static_cast<int>(edge));
                neighbours[node].push_back(ends[edge][1 - end]);
            }
        }
        for (std::vector<int> &others : neighbours) std::sort(others.begin(), others.end());
    }
};

// The index of the edge between two nodes, or -1.
inline int edgeBetween(const Net &net, int one, int other) {
    for (int edge : net.incident[one]) {
        if (net.ends[edge][0] == other || net.ends[edge][1] == other) return edge;
    }
    return -1;
}

// A tile that is placed; a Warp exchanges the types of the edges to the nodes x and y, which are -1
// with other kinds.
struct Placement {
    int seat = 1;
    char kind = 'a';
    int node = 0, x = -1, y = -1;
};

// A move: the placements of a turn, or YES or NO to putting a weaver back.
struct Move {
    std::string answer;
    std::vector<Placement> placements;
};

// Puts the weaver back; keeps it.
inline const Move YES{"yes", {}}, NO{"no", {}};

// A position, and everything else that the bot knows of the round.
struct State {
    using Move = agamemnon::Move;

    // The bot's seat: 1 is O, 2 is B.
    int seat = 1;
    // The nodes and the edges between them.
    Net net;
    // The type of each edge: `S`, `L`, `F` or `E`.
    std::string types;
    // The kind of the tile on each node, ' ' for none, and the seat of that tile, 0 for none.
    std::string kinds;
    std::vector<int> owners;
    // All tiles in the order in which they were placed, as text.
    std::string tiles;
    // The question to the bot: "move", "redraw", or "" when it is not its turn.
    std::string question;
    // The kinds to place at the question "move"; the weaver at the question "redraw".
    std::string drawn;
    // The move made last.
    std::optional<Move> lastMove;

    // The state before the board is known.
    static State start(const Greeting &greeting) {
        State state;
        state.seat = greeting.seat;
        return state;
    }
};

// Writes a tile and its node, as in the tile string; and a placement such as `Oj151020`.
inline std::string formatTile(const Placement &placement) {
    return std::string{" OB"[placement.seat], placement.kind} + formatNode(placement.node);
}
inline std::string formatPlacement(const Placement &placement) {
    const std::string tile = formatTile(placement);
    if (placement.kind != WARP) return tile;
    return tile + formatNode(placement.x) + formatNode(placement.y);
}

// Reads a move such as `Oj151020Of04`, `yes` or `no`, and writes it.
inline Move parseMove(const std::string &text) {
    if (text == "yes" || text == "no") return {text, {}};
    Move move;
    for (std::size_t at = 0; at < text.size();) {
        Placement placed{text[at] == 'O' ? 1 : 2, text[at + 1], number(text.substr(at + 2, 2))};
        if (placed.kind == WARP) {
            placed.x = number(text.substr(at + 4, 2));
            placed.y = number(text.substr(at + 6, 2));
        }
        move.placements.push_back(placed);
        at += placed.kind == WARP ? 8 : 4;
    }
    return move;
}
inline std::string formatMove(const Move &move) {
    std::string text = move.answer;
    for (const Placement &placement : move.placements) text += formatPlacement(placement);
    return text;
}

// A position out of the tile string and the edge string.
inline State withBoard(const std::string &tiles, const std::string &edges) {
    State state;
    state.net = Net(edges);
    for (std::size_t at = 0; at < edges.size(); at += 5) state.types += edges[at];
    state.kinds.assign(static_cast<std::size_t>(state.net.nodes), ' ');
    state.owners.assign(static_cast<std::size_t>(state.net.nodes), 0);
    if (tiles != "-") state.tiles = tiles;
    for (std::size_t at = 0; at < state.tiles.size(); at += 4) {
        const int node = number(state.tiles.substr(at + 2, 2));
        state.kinds[node] = state.tiles[at + 1];
        state.owners[node] = state.tiles[at] == 'O' ? 1 : 2;
    }
    return state;
}

// The number of tiles that have been placed.
inline int placed(const State &state) { return static_cast<int>(state.tiles.size()) / 4; }

// The seat that places the next tile: O one, then B and O two each in turn.
inline int turn(const State &state) { return (placed(state) + 1) / 2 % 2 == 0 ? 1 : 2; }

// The number of tiles that the seat on turn draws: two, but one at the very start and at the end.
inline int tilesInTurn(const State &state) {
    return placed(state) == 0 || placed(state) == ALL_TILES - 1 ? 1 : 2;
}

// The number of tiles of each kind, `a` to `j`, that a seat has not placed yet.
inline std::array<int, 10> bag(const State &state, int seat) {
    std::array<int, 10> counts;
    std::copy(SUPPLY, SUPPLY + 10, counts.begin());
    for (std::size_t node = 0; node < state.kinds.size(); ++node) {
        if (state.owners[node] == seat) --counts[state.kinds[node] - 'a'];
    }
    return counts;
}

// Reads `<drawn> <tiles> <edges>`, with `-` for nothing; the bot has the seat on turn.
inline State parseState(const std::string &text) {
    const Words parts = split(text, ' ');
    State state = withBoard(parts[1], parts[2]);
    state.seat = turn(state);
    state.question = "move";
    if (parts[0] != "-") state.drawn = parts[0];
    return state;
}

// Writes a position as the question does.
inline std::string formatState(const State &state) {
    std::string text = (state.drawn.empty() ? "-" : state.drawn) + " " +
                       (state.tiles.empty() ? "-" : state.tiles) + " ";
    for (std::size_t edge = 0; edge < state.types.size(); ++edge) {
        const auto &ends = state.net.ends[edge];
        text += state.types[edge] + formatNode(ends[0]) + formatNode(ends[1]);
    }
    return text;
}

// Every way to place one tile of a kind, by the seat on turn; the first half of a move.
inline std::vector<Placement> placements(const State &state, char kind) {
    std::vector<Placement> found;
    for (int node = 0; node < state.net.nodes; ++node) {
        if (state.owners[node] > 0) continue;
        if (kind != WARP) {
            found.push_back({turn(state), kind, node});
            continue;
        }
        for (int x : state.net.neighbours[node]) {
            for (int y : state.net.neighbours[node]) found.push_back({turn(state), WARP, node, x, y});
        }
    }
    return found;
}

// Adds the moves that place `first` before `second`, where there is one.
inline void addOrder(std::vector<Move> &moves, const State &state, char first,
                     std::optional<char> second, std::size_t most) {
    const std::vector<Placement> others =
        second ? placements(state, *second) : std::vector<Placement>();
    for (const Placement &one : placements(state, first)) {
        if (!second) moves.push_back({"", {one}});
        for (const Placement &other : others) {
            if (moves.size() >= most) return;
            if (other.node != one.node) moves.push_back({"", {one, other}});
        }
    }
}

// The legal moves, at most `most`: in the order of the draw, then the other way round, by node and a
// Warp's edges.
inline std::vector<Move> legalMoves(const State &state, std::size_t most = MOST_LISTED) {
    if (state.question == "redraw") return {NO, YES};
    std::vector<Move> moves;
    if (state.drawn.size() == 1) addOrder(moves, state, state.drawn[0], std::nullopt, most);
    if (state.drawn.size() == 2) {
        const char first = state.drawn[0], second = state.drawn[1];
        addOrder(moves, state, first, second, most);
        if (first != second) addOrder(moves, state, second, first, most);
    }
    return moves;
}

// The state after one placement, to plan a turn tile by tile.
inline State place(const State &state, const Placement &placement) {
    State next = state;
    next.kinds[placement.node] = placement.kind;
    next.owners[placement.node] = placement.seat;
    next.tiles += formatTile(placement);
    if (placement.kind == WARP) {
        const int one = edgeBetween(state.net, placement.node, placement.x);
        const int other = edgeBetween(state.net, placement.node, placement.y);
        next.types[one] = state.types[other];
        next.types[other] = state.types[one];
    }
    return next;
}

// The state after a legal move.
inline State apply(const State &state, const Move &move) {
    State next = state;
    next.question.clear();
    next.drawn.clear();
    if (!move.answer.empty()) return next;
    for (const Placement &placement : move.placements) next = place(next, placement);
    next.lastMove = move;
    return next;
}

// A string of fate: its type, its edges and nodes, and the seat that wins it, 0 for a tie.
struct FateString {
    char type = 'S';
    std::vector<int> edges, nodes;
    int winner = 0;
};

// The seat with the larger number.
inline int larger(int one, int two) { return one == two ? 0 : one > two ? 1 : 2; }

// The seat that wins these nodes.
inline int winnerOf(const State &state, char type, const std::vector<int> &nodes) {
    if (type != 'L') {
        int sums[3] = {0, 0, 0};
        for (int node : nodes) {
            if (state.owners[node] == 0) continue;
            sums[state.owners[node]] += type == 'F' ? 1 : STRENGTH[state.kinds[node] - 'a'];
        }
        return larger(sums[1], sums[2]);
    }
    for (char leader = 'a'; leader <= 'e'; ++leader) {
        int has[3] = {0, 0, 0};
        for (int node : nodes) {
            if (state.kinds[node] == leader) has[state.owners[node]] = 1;
        }
        if (const int first = larger(has[1], has[2]); first > 0) return first;
    }
    return 0;
}

// The string that an edge belongs to: every tile joins the edges that meet there, except a Weft.
inline FateString follow(const State &state, int first, std::vector<bool> &seen) {
    FateString found{state.types[first], {first}, {}, 0};
    seen[first] = true;
    for (std::size_t at = 0; at < found.edges.size(); ++at) {
        for (int node : state.net.ends[found.edges[at]]) {
            if (std::count(found.nodes.begin(), found.nodes.end(), node) > 0) continue;
            found.nodes.push_back(node);
            if (state.owners[node] == 0 || state.kinds[node] == WEFT) continue;
            for (int edge : state.net.incident[node]) {
                if (seen[edge] || state.types[edge] != found.type) continue;
                seen[edge] = true;
                found.edges.push_back(edge);
            }
        }
    }
    found.winner = winnerOf(state, found.type, found.nodes);
    return found;
}

// The strings that have a tile.
inline std::vector<FateString> strings(const State &state) {
    std::vector<bool> seen(state.types.size(), false);
    std::vector<FateString> found;
    for (std::size_t edge = 0; edge < state.types.size(); ++edge) {
        if (seen[edge] || state.types[edge] == 'E') continue;
        FateString one = follow(state, static_cast<int>(edge), seen);
        const auto has = [&state](int node) { return state.owners[node] > 0; };
        if (std::any_of(one.nodes.begin(), one.nodes.end(), has)) found.push_back(std::move(one));
    }
    return found;
}

// The edges that each seat wins, as if the game ended now.
inline Scores score(const State &state) {
    Scores scores;
    for (const FateString &one : strings(state)) {
        const int edges = static_cast<int>(one.edges.size());
        if (one.winner == 1) scores.one += edges;
        if (one.winner == 2) scores.two += edges;
    }
    return scores;
}

// The seat that has won, DRAW, or OPEN while tiles are left.
inline int result(const State &state) {
    if (placed(state) < ALL_TILES) return OPEN;
    const int lead = score(state).lead(1);
    return lead == 0 ? DRAW : lead > 0 ? 1 : 2;
}

// The state after a notice, and with a question.
inline State hear(const State &state, const Words &words) {
    if (words[0] == "opponent") return apply(state, parseMove(words[1]));
    if (words[0] != "edges") return state;
    State next = withBoard("-", words[1]);
    next.seat = state.seat;
    return next;
}
inline State ask(const State &state, const Words &words) {
    if (words[0] == "redraw?") {
        State asked = state;
        asked.question = "redraw";
        asked.drawn = words[1];
        return asked;
    }
    State next = withBoard(words[2], words[3]);
    next.seat = state.seat;
    next.lastMove = state.lastMove;
    next.question = "move";
    next.drawn = words[1];
    return next;
}

}  // namespace judge::agamemnon
