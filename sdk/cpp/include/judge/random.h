// Random numbers that are the same in every kit and in the referee: PCG-XSH-RR 64/32, seeded by
// SplitMix64, as judge/docs/determinism.md describes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace judge {

// A reproducible stream of random numbers.
class Random {
public:
    // One of the independent streams of a seed.
    explicit Random(std::uint64_t seed = 1, std::uint64_t stream = 0) {
        increment_ = stream << 1 | 1;
        state_ = splitMix(seed, stream + 1) + increment_;
        next();
    }

    // The next 32 random bits.
    std::uint32_t next() {
        const std::uint64_t old = state_;
        state_ = old * 6364136223846793005u + increment_;
        const auto mixed = static_cast<std::uint32_t>((old >> 18 ^ old) >> 27);
        const auto turn = static_cast<unsigned>(old >> 59);
        return mixed >> turn | mixed << (-turn & 31);
    }

    // A uniform number from 0 to bound - 1; bound is at least 1.
    int below(int bound) {
        const auto limit = static_cast<std::uint32_t>(bound);
        const std::uint32_t reject = -limit % limit;
        for (;;) {
            const std::uint32_t bits = next();
            if (bits >= reject) return static_cast<int>(bits % limit);
        }
    }

    // An element of a list, each as likely as the others.
    template <class Item>
    const Item &choice(const std::vector<Item> &items) {
        return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
    }
    template <class Item>
    Item choice(std::vector<Item> &&items) {
        return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
    }

    // Shuffles a list in place: Fisher and Yates, from its last element down.
    template <class Item>
    void shuffle(std::vector<Item> &items) {
        for (std::size_t last = items.size(); last-- > 1;) {
            std::swap(items[last], items[static_cast<std::size_t>(below(static_cast<int>(last) + 1))]);
        }
    }

private:
    // Output number n of SplitMix64 started at the seed.
    static std::uint64_t splitMix(std::uint64_t seed, std::uint64_t n) {
        std::uint64_t mixed = seed + n * 0x9e3779b97f4a7c15u;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
        return mixed ^ mixed >> 31;
    }

    std::uint64_t state_;
    std::uint64_t increment_;
};

}  // namespace judge
