// Hand: a bag of tiles that knows its score. It reads like a multiset<Tile> with an `erase` for one
// tile; inside it is a table of counts, so copying and scoring allocate nothing.
#pragma once

#include <initializer_list>
#include <iterator>

#include "distance.h"
#include "score.h"
#include "text.h"
#include "tile.h"

class Hand {
public:
    class iterator;
    using const_iterator = iterator;
    using value_type = Tile;
    using size_type = std::size_t;

    Hand() = default;
    Hand(std::initializer_list<Tile> tiles) : Hand(tiles.begin(), tiles.end()) {}

    // From the notation of the lab: `122367c1478b1389d`. All other characters are ignored.
    explicit Hand(const char *text);

    // From any range or container of tiles.
    template <class Iterator, class = decltype(Tile(*std::declval<Iterator>()))>
    Hand(Iterator first, Iterator last) {
        for (; first != last; ++first) insert(*first);
    }
    template <class Tiles, class = decltype(Tile(*std::declval<const Tiles &>().begin()))>
    Hand(const Tiles &tiles) : Hand(tiles.begin(), tiles.end()) {}

    // A tile that does not exist (rank 0, say) is not added.
    void insert(Tile tile) {
        if (!tile.isValid()) return;
        ++counts_[tile.toInt()];
        ++size_;
    }
    template <class Iterator>
    void insert(Iterator first, Iterator last) {
        for (; first != last; ++first) insert(*first);
    }

    // Takes one such tile away; returns the number of removed tiles, 0 or 1.
    size_type erase(Tile tile) {
        if (!contains(tile)) return 0;
        --counts_[tile.toInt()];
        --size_;
        return 1;
    }
    inline iterator erase(iterator position);

    void clear() { *this = Hand(); }

    size_type count(Tile tile) const { return tile.isValid() ? counts_[tile.toInt()] : 0; }
    bool contains(Tile tile) const { return count(tile) > 0; }
    size_type size() const { return static_cast<size_type>(size_); }
    bool empty() const { return size_ == 0; }

    // In rising order, equal tiles next to each other.
    inline iterator begin() const;
    inline iterator end() const;
    inline iterator find(Tile tile) const;
    inline Tile operator[](size_type index) const;

    // Faan of these 14 tiles; 0 when they are not a winning hand.
    int getScore() const {
        judge_kit::Counts counts;
        copyCounts(counts);
        return size_ == 14 ? judge_kit::faanOf(counts) : 0;
    }

    // The number of tiles that are missing until the hand is ready: 0 ready, -1 won.
    int distance() const { return judge_kit::distanceOf(counts_); }

    // The counts themselves, by Tile::toInt(), for brains that calculate.
    const judge_kit::Counts &counts() const { return counts_; }

    friend bool operator==(const Hand &left, const Hand &right) {
        for (int number = 0; number < 30; ++number)
            if (left.counts_[number] != right.counts_[number]) return false;
        return true;
    }
    friend bool operator!=(const Hand &left, const Hand &right) { return !(left == right); }

private:
    void copyCounts(judge_kit::Counts &counts) const {
        for (int number = 0; number < 32; ++number) counts[number] = counts_[number];
    }

    judge_kit::Counts counts_ = {};
    int size_ = 0;
};

// Goes over the tiles one by one: a place in the table, and which of the equal tiles it is.
class Hand::iterator {
public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = Tile;
    using difference_type = std::ptrdiff_t;
    using pointer = const Tile *;
    using reference = Tile;

    iterator() = default;
    iterator(const Hand *hand, int number, int copy) : hand_(hand), number_(number), copy_(copy) {
        settle();
    }

    Tile operator*() const { return Tile(number_); }

    // `it->toInt()` on a tile that is not stored anywhere: the arrow holds it meanwhile.
    struct Arrow {
        Tile tile;
        const Tile *operator->() const { return &tile; }
    };
    Arrow operator->() const { return {Tile(number_)}; }

    iterator &operator++() {
        ++copy_;
        settle();
        return *this;
    }
    iterator &operator--() {
        --copy_;
        while (copy_ < 0) copy_ = hand_->counts_[--number_] - 1;
        return *this;
    }
    iterator operator++(int) {
        iterator before = *this;
        ++*this;
        return before;
    }
    iterator operator--(int) {
        iterator before = *this;
        --*this;
        return before;
    }

    friend bool operator==(const iterator &left, const iterator &right) {
        return left.number_ == right.number_ && left.copy_ == right.copy_;
    }
    friend bool operator!=(const iterator &left, const iterator &right) {
        return !(left == right);
    }

private:
    // Moves on to a tile that is there, or to the end (number 30).
    void settle() {
        while (number_ < 30 && copy_ >= hand_->counts_[number_]) {
            ++number_;
            copy_ = 0;
        }
    }

    const Hand *hand_ = nullptr;
    int number_ = 30;
    int copy_ = 0;
};

inline Hand::Hand(const char *text) {
    // Ranks wait for the letter that names their suit.
    int first = 0;
    for (int at = 0; text[at] != '\0'; ++at) {
        Suit suit;
        if (!judge_kit::suitOf(text[at], suit)) continue;
        for (; first < at; ++first)
            if (text[first] >= '1' && text[first] <= '9') insert(Tile(suit, text[first] - '0'));
        first = at + 1;
    }
}

inline Hand::iterator Hand::begin() const { return iterator(this, 0, 0); }
inline Hand::iterator Hand::end() const { return iterator(this, 30, 0); }

inline Hand::iterator Hand::find(Tile tile) const {
    return contains(tile) ? iterator(this, tile.toInt(), 0) : end();
}

inline Hand::iterator Hand::erase(iterator position) {
    Tile tile = *position;
    iterator next = position;
    ++next;
    // The place of a following equal tile moves down with the one that went.
    if (next != end() && *next == tile) next = position;
    erase(tile);
    return next;
}

inline Tile Hand::operator[](size_type index) const {
    for (Tile tile : *this)
        if (index-- == 0) return tile;
    return Tile();
}

// The hand with one more tile: getScore(hand + draw) > 0 checks whether the draw wins.
inline Hand operator+(Hand hand, Tile tile) {
    hand.insert(tile);
    return hand;
}

// Faan of a hand, or of any container of tiles; 0 when it does not win. A template, so that a
// brain.cpp may define its own getScore.
template <class Tiles>
auto getScore(const Tiles &tiles) -> decltype(Hand(tiles).getScore()) {
    return Hand(tiles).getScore();
}

// Prints the notation that the constructor reads.
template <class Traits>
std::basic_ostream<char, Traits> &operator<<(std::basic_ostream<char, Traits> &out,
                                             const Hand &hand) {
    for (Hand::iterator at = hand.begin(); at != hand.end();) {
        Tile tile = *at;
        out << tile.rank();
        if (++at == hand.end() || (*at).getSuit() != tile.getSuit()) out << tile.suit();
    }
    return out;
}
