// Arcade Mahjong, with the state of a round. The rules: judge/games/src/mahjong/README.md. (A
// `class MyBrain : public Brain` has the interface of the lab instead: `brain.h`.)
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "judge/game.h"
#include "mahjong/distance.h"

namespace judge::mahjong {

// The game's name in the protocol.
constexpr const char *name = "mahjong";

// A tile is a number: 0 to 8 are bamboo 1 to 9, then characters, then dots. Kinds, how many there are
// of each, and ranks in a suit.
constexpr int KINDS = 27, COPIES = 4, RANKS = 9;

// The number of each tile in a hand.
using Hand = std::array<std::uint8_t, KINDS>;

// The rank of a tile, 1 to 9, and its suit: 0 bamboo, 1 characters, 2 dots.
constexpr int rankOf(int tile) { return tile % RANKS + 1; }
constexpr int suitOf(int tile) { return tile / RANKS; }

// Reads a tile such as `3b`, and writes it.
inline int parseTile(const std::string &text) {
    return RANKS * (text[1] - 'b') + text[0] - '1';
}
inline std::string formatTile(int tile) {
    return {static_cast<char>('0' + rankOf(tile)), "bcd"[suitOf(tile)]};
}

// Reads a hand such as `1478b122367c1389d`, and writes it.
inline Hand parseHand(const std::string &text) {
    Hand hand{};
    std::string ranks;
    for (char letter : text) {
        if (letter >= '1' && letter <= '9') {
            ranks += letter;
            continue;
        }
        for (char rank : ranks) ++hand[parseTile({rank, letter})];
        ranks.clear();
    }
    return hand;
}
inline std::string formatHand(const Hand &hand) {
    std::string text;
    for (int suit = 0; suit < 3; ++suit) {
        std::string ranks;
        for (int rank = 0; rank < RANKS; ++rank) {
            ranks.append(hand[RANKS * suit + rank], static_cast<char>('1' + rank));
        }
        if (!ranks.empty()) text += ranks + "bcd"[suit];
    }
    return text;
}

// The tiles of a hand, repeated by their number.
inline std::vector<int> tilesOf(const Hand &hand) {
    std::vector<int> tiles;
    for (int tile = 0; tile < KINDS; ++tile) tiles.insert(tiles.end(), hand[tile], tile);
    return tiles;
}

// The hand with one tile more, or less.
inline Hand withTile(Hand hand, int tile) {
    ++hand[tile];
    return hand;
}
inline Hand withoutTile(Hand hand, int tile) {
    --hand[tile];
    return hand;
}

// The rules of a testcase; as they are made, those where a testcase says nothing else.
struct Rules {
    // True if a winning hand must not use all three suits.
    bool voidSuit = false;
    // Factors: four triplets and a pair; a hand of one suit; seven pairs; each four equal tiles.
    int allTriplets = 2, fullFlush = 4, sevenPairs = 4, root = 2;
};

// The worth of a winning hand, and the reasons for it; a hand that does not win has 0 Faan.
struct Win {
    int faan = 0;
    // True if it counts as seven pairs.
    bool sevenPairs = false;
    bool allTriplets = false, fullFlush = false;
    int roots = 0;
};

// True if tiles of a suit are triplets and sequences: at the lowest rank, tiles outside triplets
// begin sequences.
inline bool isMelds(std::array<int, RANKS> counts) {
    for (int rank = 0; rank < RANKS; ++rank) {
        const int sequences = counts[rank] % 3;
        if (sequences == 0) continue;
        if (rank + 2 >= RANKS || counts[rank + 1] < sequences || counts[rank + 2] < sequences) {
            return false;
        }
        counts[rank + 1] -= sequences;
        counts[rank + 2] -= sequences;
    }
    return true;
}

// True if the tiles of a suit are melds, with a pair if their number calls for one.
inline bool isSuit(const std::array<int, RANKS> &counts, int length) {
    if (length % 3 == 0) return isMelds(counts);
    for (int rank = 0; rank < RANKS; ++rank) {
        if (counts[rank] < 2) continue;
        std::array<int, RANKS> rest = counts;
        rest[rank] -= 2;
        if (isMelds(rest)) return true;
    }
    return false;
}

// The worth of a hand of 14 tiles in its best reading.
inline Win winOf(const Hand &hand, const Rules &rules = {}) {
    int used = 0, tiles = 0;
    bool isOrdinary = true;
    for (int suit = 0; suit < 3; ++suit) {
        std::array<int, RANKS> counts{};
        int length = 0;
        for (int rank = 0; rank < RANKS; ++rank) length += counts[rank] = hand[RANKS * suit + rank];
        used += length > 0;
        tiles += length;
        isOrdinary = isOrdinary && length % 3 != 1 && isSuit(counts, length);
    }
    const auto countOf = [&hand](int number) {
        return static_cast<int>(std::count(hand.begin(), hand.end(), number));
    };
    const bool isPairs = countOf(1) + countOf(3) == 0;
    if (tiles != 14 || (rules.voidSuit && used == 3) || !(isPairs || isOrdinary)) return {};
    const bool triplets =
        isOrdinary && countOf(2) == 1 && countOf(0) + countOf(2) + countOf(3) == KINDS;
    const int asPairs = isPairs ? rules.sevenPairs : 0;
    const int asOrdinary = isOrdinary ? (triplets ? rules.allTriplets : 1) : 0;
    Win win;
    win.sevenPairs = asPairs > asOrdinary;
    win.allTriplets = triplets && !win.sevenPairs;
    win.fullFlush = used == 1;
    win.roots = countOf(COPIES);
    win.faan = std::max(asPairs, asOrdinary) * (win.fullFlush ? rules.fullFlush : 1);
    for (int root = 0; root < win.roots; ++root) win.faan *= rules.root;
    return win;
}

// Faan of a hand of 14 tiles, and of one of 13 with one more; 0 when they do not win.
inline int faan(const Hand &hand, const Rules &rules = {}) { return winOf(hand, rules).faan; }
inline int faanWith(const Hand &hand, int tile, const Rules &rules = {}) {
    return hand[tile] < COPIES ? faan(withTile(hand, tile), rules) : 0;
}

// The score of a round for its winner, by Faan and the tiles left in the wall.
inline int roundScore(int worth, int wallLeft) { return worth > 0 ? 3 * worth + wallLeft : 0; }

// The tiles that complete a hand of 13.
inline std::vector<int> waits(const Hand &hand, const Rules &rules = {}) {
    std::vector<int> tiles;
    for (int tile = 0; tile < KINDS; ++tile) {
        if (faanWith(hand, tile, rules) > 0) tiles.push_back(tile);
    }
    return tiles;
}

// The distance of a hand of 13 or 14 tiles: 0 is ready, -1 has won.
inline int distance(const Hand &hand) {
    judge_kit::Counts counts{};
    for (int tile = 0; tile < KINDS; ++tile) counts[10 * suitOf(tile) + rankOf(tile)] = hand[tile];
    return judge_kit::distanceOf(counts);
}

// The tiles that bring a hand one step nearer, without those of which it has all four.
inline std::vector<int> usefulTiles(const Hand &hand) {
    std::vector<int> useful;
    const int now = distance(hand);
    for (int tile = 0; tile < KINDS; ++tile) {
        if (hand[tile] < COPIES && distance(withTile(hand, tile)) < now) useful.push_back(tile);
    }
    return useful;
}

// A move: the tile to discard, or YES or NO to winning.
struct Move {
    int tile = 0;

    friend bool operator==(Move one, Move other) { return one.tile == other.tile; }
};

// The move that wins, and the one that plays on.
constexpr Move YES{KINDS}, NO{KINDS + 1};

// Everything that the bot sees of a round.
struct State {
    using Move = mahjong::Move;

    // The bot's seat.
    int seat = 1;
    // The rules of scoring.
    Rules rules;
    // The number of each tile in the bot's hand: 13 in all, 14 when it must discard one.
    Hand hand{};
    // The question to the bot: "discard", "win-self", "win-discard", or "" when it is not its turn.
    std::string question;
    // The tile that completes the hand, when the bot is asked to win, and the one drawn last; or -1.
    int offered = -1, drawn = -1;
    // Tiles that the bot has drawn, the dealt ones included.
    int draws = 0;
    // The bot's discards and the other side's, in order.
    std::vector<int> river, otherRiver;
    // Faan of the hand with which the bot has won, 0 before.
    int won = 0;
    // The end of the round for the bot: "win", "loss" or "draw"; "" until then.
    std::string ended;

    // The state before the first tile.
    static State start(const Greeting &greeting) {
        State state;
        state.seat = greeting.seat;
        state.rules.voidSuit = greeting.option("void_suit") == "true";
        state.rules.allTriplets = number(greeting.option("all_triplets"));
        state.rules.fullFlush = number(greeting.option("full_flush"));
        state.rules.sevenPairs = number(greeting.option("seven_pairs"));
        state.rules.root = number(greeting.option("root"));
        return state;
    }
};

// Reads an answer: a tile, `yes` or `no`; and writes it.
inline Move parseMove(const std::string &text) {
    if (text == "yes") return YES;
    return text == "no" ? NO : Move{parseTile(text)};
}
inline std::string formatMove(Move move) {
    if (move == YES) return "yes";
    return move == NO ? "no" : formatTile(move.tile);
}

// The legal moves: each tile in hand once, or NO and YES.
inline std::vector<Move> legalMoves(const State &state) {
    std::vector<Move> moves;
    if (state.question == "discard") {
        for (int tile = 0; tile < KINDS; ++tile) {
            if (state.hand[tile] > 0) moves.push_back({tile});
        }
    } else if (!state.question.empty()) {
        moves = {NO, YES};
    }
    return moves;
}

// The state after a legal move, as far as the bot knows it: the next draw comes as a notice.
inline State apply(const State &state, Move move) {
    State next = state;
    if (move == YES) {
        next.won = faanWith(state.hand, state.offered, state.rules);
        return next;
    }
    next.question.clear();
    next.offered = -1;
    if (move == NO) return next;
    next.hand = withoutTile(state.hand, move.tile);
    next.river.push_back(move.tile);
    return next;
}

// Tiles left in the wall; correct even before a draw or discard is announced.
inline int wallLeft(const State &state) {
    const int own = std::max(state.draws - 13, 0) + (state.question == "win-self");
    // The other side drew every tile that it has discarded.
    const int other = static_cast<int>(state.otherRiver.size()) + (state.question == "win-discard");
    return 82 - own - other;
}

// The scores: both are 0 until the bot has won.
inline Scores score(const State &state) {
    const int own = roundScore(state.won, wallLeft(state));
    return {state.seat == 1 ? own : 0, state.seat == 2 ? own : 0};
}

// The seat that has won, DRAW, or OPEN.
inline int result(const State &state) {
    if (state.won > 0 || state.ended == "win") return state.seat;
    if (state.ended == "loss") return otherSeat(state.seat);
    return state.ended == "draw" ? DRAW : OPEN;
}

// The state after a notice, and with a question.
inline State hear(const State &state, const Words &words) {
    State next = state;
    if (words[0] == "end") {
        next.ended = words[1];
    } else if (words[0] == "opponent") {
        next.otherRiver.push_back(parseTile(words[1]));
    } else if (words[0] == "draw") {
        next.drawn = parseTile(words[1]);
        next.hand = withTile(state.hand, next.drawn);
        ++next.draws;
    }
    return next;
}
inline State ask(const State &state, const Words &words) {
    State next = state;
    if (words[0] == "discard?") {
        next.question = "discard";
    } else {
        next.question = "win-" + words[2];
        next.offered = parseTile(words[1]);
    }
    return next;
}

}  // namespace judge::mahjong
