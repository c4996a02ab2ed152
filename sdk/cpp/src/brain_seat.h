// The judge's lines to calls of a Brain, and its answers back to lines. Used by the WebAssembly
// bot and by the native program on pipes; see sdk/PROTOCOL.md for the lines.
#pragma once

#include <cstring>

#include "brain.h"
#include "entry.h"
#include "line.h"

namespace judge_kit {

// One seat at the table: takes lines and answers those that are questions.
class Seat {
public:
    // Takes the line of `length` bytes in `line`, which has room for maxLine bytes, and leaves
    // the answer there. Returns the answer's length: 0 for a notice, and for a question that this
    // kit does not know.
    int take(char *line, int length) {
        switch (length > 0 ? line[0] : '\0') {
        case 'd':
            if (length == 7 && starts(line, "draw ")) brain().getDraw(tileAt(line + 5));
            if (length == 8 && starts(line, "discard?")) return answer(line, brain().requestDiscard());
            return 0;
        case 'o':
            if (length == 11 && starts(line, "opponent ")) brain().getOppDiscard(tileAt(line + 9));
            return 0;
        case 'w':
            if (length < 12 || !starts(line, "win? ")) return 0;
            return answer(line, brain().requestWin(tileAt(line + 5), line[8] == 's'));
        case 'g':
            if (length >= 5 && starts(line, "game ")) brain_ = renewPlayer();
            return 0;
        default:
            return 0;
        }
    }

private:
    // The first line is always `game …`; a brain that is asked earlier exists all the same.
    Brain &brain() {
        if (!brain_) brain_ = renewPlayer();
        return *brain_;
    }

    // A length known to the compiler turns this into one or two comparisons of words.
    template <int size>
    static bool starts(const char *line, const char (&start)[size]) {
        return std::memcmp(line, start, size - 1) == 0;
    }

    static Tile tileAt(const char *text) { return Tile(text[1] - 'b', text[0] - '0'); }

    static int answer(char *line, bool yes) {
        std::memcpy(line, yes ? "yes" : "no", 3);
        return yes ? 3 : 2;
    }

    static int answer(char *line, Tile tile) {
        if (!tile.isValid()) return answerNumber(line, tile.toInt());
        line[0] = static_cast<char>('0' + tile.rank());
        line[1] = letterOf(tile.suit());
        return 2;
    }

    // Not a tile of the game: its bare number is sent, so that the judge's message shows the
    // brain's return value.
    static int answerNumber(char *line, int number) {
        char digits[12];
        int count = 0, length = 0;
        unsigned left = number < 0 ? 0u - static_cast<unsigned>(number) : static_cast<unsigned>(number);
        do digits[count++] = static_cast<char>('0' + left % 10);
        while (left /= 10);
        if (number < 0) line[length++] = '-';
        while (count > 0) line[length++] = digits[--count];
        return length;
    }

    Brain *brain_ = nullptr;
};

}  // namespace judge_kit
