// The distance of a hand to ready, by the lab's formulas: 8 - 2 melds - partners - pair, with at
// most four melds and partners and at most one pair, or 6 - pairs; the smaller counts.
//
// A suit is read on its own (SuitReading), then the three readings are put together. Nothing is
// allocated; reading a suit takes well under a microsecond.
#pragma once

#include <cstdint>

#include "score.h"

namespace judge_kit {

// All ways to take (melds, partners, pair) out of the nine ranks of one suit, as a set of bits.
// Bit 36 * pair + 6 * melds + partners: room for one meld and one partner too many, which are
// then masked away.
class SuitWays {
public:
    static constexpr std::uint64_t nothing = 1;

    // `ranks` points at the count of rank 1. Two more numbers are looked at behind rank 9, but
    // ways that take anything from there never reach the result.
    explicit SuitWays(const unsigned char *ranks);

    // The ways to take exactly `blocks` melds and partners: bit 5 * m says that m of them can be
    // melds.
    std::uint64_t exactly(int blocks, bool pair) const {
        std::uint64_t ways = pair ? ways_ >> pairBits : ways_;
        return ways >> blocks & diagonals[blocks];
    }

private:
    // A point of the walk along the ranks: what earlier sequences and partners have already
    // taken from the current rank and from the one after it.
    using Walk = std::uint64_t[5][5];

    static constexpr int pairBits = 36;
    // One more meld is one partner less, which moves a way by 6 - 1 bits.
    static constexpr std::uint64_t diagonals[] = {1, 0x21, 0x421, 0x8421, 0x108421};

    static constexpr std::uint64_t legalWays();
    static std::uint64_t withMeld(std::uint64_t ways);
    static std::uint64_t withPartner(std::uint64_t ways);
    static std::uint64_t withPair(std::uint64_t ways);
    static void spread(std::uint64_t ways, int free, int next, int afterNext, int taken, Walk &to);
    static void step(std::uint64_t ways, int free, int next, int afterNext, int taken, Walk &to);

    std::uint64_t ways_;
};

// The bits with at most four melds and partners.
constexpr std::uint64_t SuitWays::legalWays() {
    std::uint64_t legal = 0;
    for (int melds = 0; melds <= 4; ++melds)
        for (int partners = 0; melds + partners <= 4; ++partners)
            legal |= nothing << (6 * melds + partners);
    return legal | legal << pairBits;
}

inline std::uint64_t SuitWays::withMeld(std::uint64_t ways) { return ways << 6 & legalWays(); }
inline std::uint64_t SuitWays::withPartner(std::uint64_t ways) { return ways << 1 & legalWays(); }

// Only ways without a pair move up: a second pair does not count.
inline std::uint64_t SuitWays::withPair(std::uint64_t ways) {
    return (ways & ((nothing << pairBits) - 1)) << pairBits;
}

// Starts sequences (r, r+1, r+2), neighbours (r, r+1) and gaps (r, r+2) at a rank with `free`
// tiles. `next` and `afterNext` are the tiles free on the ranks after it, `taken` those that
// earlier ones hold on the next rank.
inline void SuitWays::spread(std::uint64_t ways, int free, int next, int afterNext, int taken,
                             Walk &to) {
    std::uint64_t sequences = ways;
    for (int s = 0; sequences; ++s, sequences = withMeld(sequences)) {
        if (s > free || s > next || s > afterNext) break;
        std::uint64_t neighbours = sequences;
        for (int n = 0; neighbours; ++n, neighbours = withPartner(neighbours)) {
            if (s + n > free || s + n > next) break;
            std::uint64_t gaps = neighbours;
            for (int g = 0; gaps; ++g, gaps = withPartner(gaps)) {
                if (s + n + g > free || s + g > afterNext) break;
                to[taken + s + n][s + g] |= gaps;
            }
        }
    }
}

// All uses of a rank with `free` tiles: keep pairs and triplets to itself, then spread.
inline void SuitWays::step(std::uint64_t ways, int free, int next, int afterNext, int taken,
                           Walk &to) {
    if (free == 0) {
        to[taken][0] |= ways;
        return;
    }
    spread(ways, free, next, afterNext, taken, to);
    if (free < 2) return;
    std::uint64_t partner = withPartner(ways);
    spread(withPair(ways) | partner, free - 2, next, afterNext, taken, to);
    if (free < 3) return;
    spread(withMeld(ways), free - 3, next, afterNext, taken, to);
    if (free == 4) spread(withPair(partner) | withPartner(partner), 0, 0, 0, taken, to);
}

inline SuitWays::SuitWays(const unsigned char *ranks) {
    Walk walks[2] = {};
    walks[0][0][0] = nothing;
    for (int rank = 0; rank < 9; ++rank) {
        Walk &at = walks[rank % 2], &to = walks[(rank + 1) % 2];
        int next = ranks[rank + 1], afterNext = ranks[rank + 2];
        for (int taken = 0; taken <= ranks[rank]; ++taken) {
            for (int taken2 = 0; taken2 <= next && taken2 <= 4; ++taken2) {
                std::uint64_t ways = at[taken][taken2];
                if (!ways) continue;
                int free = ranks[rank] - taken;
                step(ways, free, next - taken2, afterNext, taken2, to);
            }
        }
        for (auto &row : at)
            for (std::uint64_t &ways : row) ways = 0;
    }
    // Ways that reached beyond rank 9 are in the other fields.
    ways_ = walks[1][0][0];
}

// The best of one or more suits: for each number of melds and partners together, the most that they
// are worth (2 a meld, 1 a partner), without and with a pair.
class SuitReading {
public:
    SuitReading() : plain_{}, paired_{impossible, impossible, impossible, impossible, impossible} {}

    explicit SuitReading(const SuitWays &ways) {
        fill(plain_, ways, false);
        fill(paired_, ways, true);
    }

    // Both together.
    SuitReading operator+(const SuitReading &other) const {
        SuitReading sum;
        for (int blocks = 0; blocks <= 4; ++blocks) {
            int plain = impossible, paired = impossible;
            for (int mine = 0; mine <= blocks; ++mine) {
                int theirs = blocks - mine;
                raise(plain, plain_[mine] + other.plain_[theirs]);
                raise(paired, plain_[mine] + other.paired_[theirs]);
                raise(paired, paired_[mine] + other.plain_[theirs]);
            }
            sum.plain_[blocks] = static_cast<signed char>(plain);
            sum.paired_[blocks] = static_cast<signed char>(paired < 0 ? impossible : paired);
        }
        return sum;
    }

    // Distance of a hand of these and the other suits, to melds and a pair.
    int distanceWith(const SuitReading &other) const {
        int most = 0;
        for (int mine = 0; mine <= 4; ++mine) {
            int theirs = 4 - mine;
            raise(most, plain_[mine] + other.plain_[theirs]);
            raise(most, plain_[mine] + other.paired_[theirs] + 1);
            raise(most, paired_[mine] + other.plain_[theirs] + 1);
        }
        return 8 - most;
    }

private:
    static constexpr signed char impossible = -64;

    static void raise(int &most, int value) {
        if (value > most) most = value;
    }

    // At most `blocks` melds and partners: a limit above the suit's own loses nothing.
    static void fill(signed char (&most)[5], const SuitWays &ways, bool pair) {
        int soFar = impossible;
        for (int blocks = 0; blocks <= 4; ++blocks) {
            if (std::uint64_t exact = ways.exactly(blocks, pair)) {
                int melds = 0;
                while (exact >>= 5) ++melds;
                raise(soFar, blocks + melds);
            }
            most[blocks] = static_cast<signed char>(soFar);
        }
    }

    signed char plain_[5];
    signed char paired_[5];
};

// Distance of a hand of 13 or 14 tiles: 0 is ready, -1 is won.
inline int distanceOf(const Counts &counts) {
    SuitReading bamboo{SuitWays(counts + 1)};
    SuitReading characters{SuitWays(counts + 11)};
    SuitReading dots{SuitWays(counts + 21)};
    int standard = (bamboo + characters).distanceWith(dots);
    int sevenPairs = 6 - pairsIn(counts);
    return standard < sevenPairs ? standard : sevenPairs;
}

}  // namespace judge_kit
