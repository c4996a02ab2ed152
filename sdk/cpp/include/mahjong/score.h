// The worth of a hand, over plain counts of tiles. `Hand` (hand.h) is the friendly interface to it.
#pragma once

namespace judge_kit {

// The count of each tile number: 10 * suit + rank, with 0, 10 and 20 unused and empty. 32 entries,
// so that two ranks after the last one may be read.
using Counts = unsigned char[32];

// The factors of the Faan product; the rules leave them to the judge.
constexpr int allTripletsFactor = 2;
constexpr int sevenPairsFactor = 4;
constexpr int fullFlushFactor = 4;
constexpr int rootFactor = 2;

// Number of pairs; four equal tiles are two.
inline int pairsIn(const Counts &counts) {
    int pairs = 0;
    for (int number = 1; number < 30; ++number) pairs += counts[number] / 2;
    return pairs;
}

// True if the tiles are melds and nothing else. In rising order each tile has one way to go: the
// tiles left over from triplets must start sequences. (Three equal sequences are the same tiles as
// three triplets, so triplets first loses nothing.)
inline bool onlyMelds(const Counts &counts) {
    unsigned char left[32];
    for (int number = 0; number < 32; ++number) left[number] = counts[number];
    for (int number = 1; number < 30; ++number) {
        int starts = left[number] % 3;
        if (starts > left[number + 1] || starts > left[number + 2]) return false;
        left[number + 1] = static_cast<unsigned char>(left[number + 1] - starts);
        left[number + 2] = static_cast<unsigned char>(left[number + 2] - starts);
    }
    return true;
}

// True if the tiles are melds and one pair; `counts` is unchanged when this returns.
inline bool meldsAndPair(Counts &counts) {
    for (int number = 1; number < 30; ++number) {
        if (counts[number] < 2) continue;
        counts[number] = static_cast<unsigned char>(counts[number] - 2);
        bool melds = onlyMelds(counts);
        counts[number] = static_cast<unsigned char>(counts[number] + 2);
        if (melds) return true;
    }
    return false;
}

// True if a hand of melds and a pair has no sequence: all tiles are in threes but one pair.
inline bool onlyTriplets(const Counts &counts) {
    int pairs = 0;
    for (int number = 1; number < 30; ++number) {
        if (counts[number] == 2)
            ++pairs;
        else if (counts[number] % 3 != 0)
            return false;
    }
    return pairs == 1;
}

// True if all tiles are of one suit.
inline bool oneSuit(const Counts &counts) {
    int suits = 0;
    for (int suit = 0; suit < 3; ++suit) {
        int tiles = 0;
        for (int rank = 1; rank <= 9; ++rank) tiles += counts[10 * suit + rank];
        suits += tiles > 0;
    }
    return suits == 1;
}

// Number of tiles of which all four are there.
inline int rootsIn(const Counts &counts) {
    int roots = 0;
    for (int number = 1; number < 30; ++number) roots += counts[number] == 4;
    return roots;
}

// The Faan of 14 tiles, 0 when they do not win. The best reading counts: seven pairs, then all
// triplets, then any four melds and a pair.
inline int faanOf(Counts &counts) {
    int faan;
    if (pairsIn(counts) == 7)
        faan = sevenPairsFactor;
    else if (!meldsAndPair(counts))
        return 0;
    else
        faan = onlyTriplets(counts) ? allTripletsFactor : 1;
    if (oneSuit(counts)) faan *= fullFlushFactor;
    for (int roots = rootsIn(counts); roots > 0; --roots) faan *= rootFactor;
    return faan;
}

}  // namespace judge_kit
