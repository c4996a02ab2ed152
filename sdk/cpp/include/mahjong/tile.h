// Suit and Tile, as brain.cpp knows them from the lab.
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

// The number of a suit is the tens digit of a tile: 13 is the 3 of characters.
// CHARACTER and DOT are second names for students who count in the singular.
enum Suit { BAMBOO = 0, CHARACTERS = 1, DOTS = 2, CHARACTER = CHARACTERS, DOT = DOTS };

namespace judge_kit {

// A part of a tile that may be read as a member (`tile.rank`) and as a method (`tile.rank()`):
// both are in use among students, and neither is worth a compile error.
template <class T>
class Part {
public:
    constexpr explicit Part(T value) : value_(value) {}
    constexpr Part &operator=(T value) {
        value_ = value;
        return *this;
    }
    constexpr operator T() const { return value_; }
    constexpr T operator()() const { return value_; }

private:
    T value_;
};

}  // namespace judge_kit

// One tile. Its number is 10 * suit + rank, with ranks 1 to 9: 1 to 9, 11 to 19, 21 to 29. Tile{}
// is number 0: not a tile of the game, and handy as "none".
class Tile {
public:
    judge_kit::Part<Suit> suit;
    judge_kit::Part<int> rank;

    constexpr Tile(int number = 0) : suit(Suit(number / 10)), rank(number % 10) {}
    constexpr Tile(int suitNumber, int rankNumber) : suit(Suit(suitNumber)), rank(rankNumber) {}

    constexpr int toInt() const { return 10 * suit() + rank(); }
    constexpr Suit getSuit() const { return suit(); }
    constexpr int getRank() const { return rank(); }
    constexpr explicit operator int() const { return toInt(); }

    // True if the game has such a tile.
    constexpr bool isValid() const {
        return suit() >= BAMBOO && suit() <= DOTS && rank() >= 1 && rank() <= 9;
    }
};

namespace judge_kit {

// Comparisons are templates over exactly Tile, so that a brain.cpp with its own operators is
// neither a redefinition nor ambiguous: a plain function wins over a template.
template <class T>
using IfTile = std::enable_if_t<std::is_same<T, Tile>::value, bool>;

}  // namespace judge_kit

#define JUDGE_KIT_COMPARE(op)                                                                     \
    template <class T>                                                                            \
    constexpr judge_kit::IfTile<T> operator op(const T &left, const T &right) {                   \
        return left.toInt() op right.toInt();                                                     \
    }                                                                                             \
    template <class T>                                                                            \
    constexpr judge_kit::IfTile<T> operator op(const T &left, int right) {                        \
        return left.toInt() op right;                                                             \
    }                                                                                             \
    template <class T>                                                                            \
    constexpr judge_kit::IfTile<T> operator op(int left, const T &right) {                        \
        return left op right.toInt();                                                             \
    }

JUDGE_KIT_COMPARE(==)
JUDGE_KIT_COMPARE(!=)
JUDGE_KIT_COMPARE(<)
JUDGE_KIT_COMPARE(<=)
JUDGE_KIT_COMPARE(>)
JUDGE_KIT_COMPARE(>=)

#undef JUDGE_KIT_COMPARE

// For unordered_map and unordered_set.
template <>
struct std::hash<Tile> {
    std::size_t operator()(const Tile &tile) const noexcept {
        return static_cast<std::size_t>(tile.toInt());
    }
};
