// The judge's luck: the same seed gives the same wall and the same random opponent as there.
// See judge/core/src/seed.rs; the algorithms are public, so any language can follow.
#pragma once

#include <cstdint>
#include <utility>

namespace judge_kit {

// The purpose of a stream of random numbers; its number.
enum class Purpose : std::uint64_t { wall = 0, opponentInSeat1 = 4, opponentInSeat2 = 5 };

// PCG-XSH-RR 64/32, started from the seed by SplitMix64.
class Random {
public:
    Random(std::uint64_t seed, Purpose purpose) {
        std::uint64_t stream = static_cast<std::uint64_t>(purpose);
        increment_ = stream << 1 | 1;
        state_ = splitMix(seed, stream + 1) + increment_;
        advance();
    }

    std::uint32_t next() {
        std::uint64_t state = state_;
        advance();
        auto mixed = static_cast<std::uint32_t>((state >> 18 ^ state) >> 27);
        unsigned turn = static_cast<unsigned>(state >> 59);
        return mixed >> turn | mixed << (-turn & 31);
    }

    // Uniform in 0 .. bound - 1: the short tail of the 32 bits is drawn again.
    std::uint32_t below(std::uint32_t bound) {
        std::uint32_t tail = -bound % bound;
        for (;;) {
            std::uint32_t bits = next();
            if (bits >= tail) return bits % bound;
        }
    }

    // Fisher and Yates, from the last item down to the second.
    template <class Item>
    void shuffle(Item *items, std::uint32_t count) {
        for (std::uint32_t last = count - 1; last > 0; --last)
            std::swap(items[last], items[below(last + 1)]);
    }

private:
    // Output number n, counted from 1.
    static std::uint64_t splitMix(std::uint64_t seed, std::uint64_t n) {
        std::uint64_t z = seed + n * 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }

    void advance() { state_ = state_ * 6364136223846793005u + increment_; }

    std::uint64_t state_;
    std::uint64_t increment_;
};

}  // namespace judge_kit
