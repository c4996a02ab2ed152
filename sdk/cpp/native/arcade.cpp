// Plays a brain.cpp against the judge's random opponent, as an ordinary program: for printing,
// for gdb, for a first idea of the score.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "entry.h"
#include "opponent.h"
#include "round.h"

namespace {

const char usage[] =
    "usage: arcade [--seed N] [--rounds N] [--quiet]\n"
    "Plays rounds with the seeds N, N+1, ... (default: 8 rounds from seed 1).\n";

struct Options {
    unsigned long long seed = 1, rounds = 8;
    bool quiet = false;
};

[[noreturn]] void refuse(const char *what, const char *word) {
    std::fprintf(stderr, "error: %s `%s`\n%s", what, word, usage);
    std::exit(2);
}

Options parse(int count, char **words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        unsigned long long *number = nullptr;
        if (std::strcmp(words[i], "--quiet") == 0) {
            options.quiet = true;
            continue;
        }
        if (std::strcmp(words[i], "--seed") == 0) number = &options.seed;
        if (std::strcmp(words[i], "--rounds") == 0) number = &options.rounds;
        if (!number) refuse("unknown argument", words[i]);
        if (++i == count) refuse("no number after", words[i - 1]);
        char *end;
        *number = std::strtoull(words[i], &end, 10);
        if (end == words[i] || *end != '\0') refuse("not a number:", words[i]);
    }
    return options;
}

void print(unsigned long long seed, const judge_kit::Result &result) {
    static const char *const endings[] = {"wall empty", "self draw", "discard", "illegal discard"};
    std::printf("seed %llu: score %d (%s", seed, result.score(),
                endings[static_cast<int>(result.ending)]);
    if (result.winner >= 0)
        std::printf(", %d Faan, %d tiles left", result.faan, result.tilesLeft);
    else if (result.ending == judge_kit::Ending::illegalDiscard)
        std::printf(" of tile number %d, not in the hand", result.lastTile.toInt());
    std::printf(")\n");
}

}  // namespace

int main(int count, char **words) {
    Options options = parse(count, words);
    long long total = 0;
    auto start = std::chrono::steady_clock::now();
    for (unsigned long long i = 0; i < options.rounds; ++i) {
        unsigned long long seed = options.seed + i;
        judge_kit::RandomOpponent opponent(seed);
        // One at the place of the last: members without an initial value are zero, as in the judge.
        Brain *brain = judge_kit::renewPlayer();
        judge_kit::Result result = judge_kit::playRound(judge_kit::Wall(seed), *brain, opponent);
        total += result.score();
        if (!options.quiet) print(seed, result);
    }
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("%llu rounds: score %lld, %.0f rounds per second\n", options.rounds, total,
                static_cast<double>(options.rounds) / time.count());
}
