// Tiles and suits as text: `b` bamboo, `c` characters, `d` dots; a tile is `3b`. Only <iosfwd> is
// included: a bot that never prints does not pay for streams.
#pragma once

#include <iosfwd>

#include "tile.h"

namespace judge_kit {

inline char letterOf(Suit suit) {
    return suit >= BAMBOO && suit <= DOTS ? "bcd"[suit] : '?';
}

// True if `letter` names a suit, which is then left in `suit`.
inline bool suitOf(char letter, Suit &suit) {
    if (letter < 'b' || letter > 'd') return false;
    suit = Suit(letter - 'b');
    return true;
}

}  // namespace judge_kit

template <class Traits>
std::basic_ostream<char, Traits> &operator<<(std::basic_ostream<char, Traits> &out, Suit suit) {
    return out << judge_kit::letterOf(suit);
}

template <class Traits>
std::basic_ostream<char, Traits> &operator<<(std::basic_ostream<char, Traits> &out, Tile tile) {
    return out << tile.rank() << tile.suit();
}

// Reads a letter; the stream fails on anything but b, c, d.
template <class Traits>
std::basic_istream<char, Traits> &operator>>(std::basic_istream<char, Traits> &in, Suit &suit) {
    char letter;
    if (in >> letter && !judge_kit::suitOf(letter, suit)) in.setstate(in.failbit);
    return in;
}

// Reads a digit and a letter, `3b`; the stream fails on anything else.
template <class Traits>
std::basic_istream<char, Traits> &operator>>(std::basic_istream<char, Traits> &in, Tile &tile) {
    char digit;
    Suit suit = BAMBOO;
    if (in >> digit >> suit) {
        if (digit >= '1' && digit <= '9')
            tile = Tile(suit, digit - '0');
        else
            in.setstate(in.failbit);
    }
    return in;
}
