// The common form of the judge's lines in all games; see sdk/PROTOCOL.md.
#pragma once

namespace judge_kit {

// Longest line in either direction.
constexpr int maxLine = 4096;

// True if the first word of a line ends in `?`.
inline bool isQuestion(const char *line, int length) {
    int end = 0;
    while (end < length && line[end] != ' ') ++end;
    return end > 0 && line[end - 1] == '?';
}

}  // namespace judge_kit
