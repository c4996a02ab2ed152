// The headers of the games, compared with rounds that the judge recorded (sdk/golden): the same
// legal moves and scores at every question, the same end, and moves in the referee's own order.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "judge/agamemnon.h"
#include "judge/amazons.h"
#include "judge/cc.h"
#include "judge/mahjong.h"
#include "judge/patchwork.h"
#include "judge/player.h"

void judge_kit::writeLog(const char *, std::size_t) {}

static int checked = 0;

static void check(const std::string &found, const std::string &expected, const std::string &where) {
    ++checked;
    if (found == expected) return;
    std::cerr << where << ": `" << found << "`, expected `" << expected << "`\n";
    std::exit(1);
}

// FNV-1a of the sorted answers, as the recorded rounds have it.
static std::string fingerprint(std::vector<std::string> texts) {
    std::sort(texts.begin(), texts.end());
    std::uint32_t hashed = 0x811c9dc5;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i > 0) hashed = (hashed ^ '\n') * 0x01000193;
        for (char letter : texts[i]) {
            hashed = (hashed ^ static_cast<unsigned char>(letter)) * 0x01000193;
        }
    }
    char text[9];
    std::snprintf(text, sizeof text, "%08x", hashed);
    return text;
}

// A player that records its view of each question and gives the recorded answer, or a random one.
template <class State>
class Witness : public judge::Player<State> {
public:
    std::string given, seen;

    typename State::Move chooseMove(const State &state) override {
        const auto moves = legalMoves(state);
        if (given == "random") return this->random.choice(moves);
        std::vector<std::string> texts;
        for (const auto &move : moves) texts.push_back(formatMove(move));
        const judge::Scores scores = score(state);
        seen = std::to_string(moves.size()) + " " + fingerprint(texts) + " " +
               std::to_string(scores.one) + " " + std::to_string(scores.two);
        return parse(State(), given);
    }

private:
    static judge::agamemnon::Move parse(const judge::agamemnon::State &, const std::string &text) {
        return judge::agamemnon::parseMove(text);
    }
    static judge::amazons::Move parse(const judge::amazons::State &, const std::string &text) {
        return judge::amazons::parseMove(text);
    }
    static judge::cc::Move parse(const judge::cc::State &, const std::string &text) {
        return judge::cc::parseMove(text);
    }
    static judge::mahjong::Move parse(const judge::mahjong::State &, const std::string &text) {
        return judge::mahjong::parseMove(text);
    }
    static judge::patchwork::Move parse(const judge::patchwork::State &, const std::string &text) {
        return judge::patchwork::parseMove(text);
    }
};

template <class State>
static void checkEnd(const State &state, int seat, const std::string &line, bool hides) {
    const judge::Words words = judge::split(line, ' ');
    const int winner = words[1] == "win" ? seat : words[1] == "loss" ? 3 - seat : judge::DRAW;
    check(std::to_string(result(state)), std::to_string(winner), line);
    // The state does not know the worth of the other side's hidden hand.
    if (hides && words[1] == "loss") return;
    check(std::to_string(score(state).of(seat)), words[2], line);
    check(std::to_string(score(state).of(3 - seat)), words[3], line);
}

template <class State>
static void replay(const std::vector<std::string> &lines, bool hides) {
    Witness<State> players[2];
    for (std::size_t at = 0; at < lines.size(); ++at) {
        const int seat = lines[at][0] - '0';
        const std::string text = lines[at].substr(2);
        Witness<State> &player = players[seat - 1];
        if (judge::split(text, ' ')[0].back() != '?') {
            player.notice(text);
            if (text.rfind("end ", 0) == 0) checkEnd(player.state, seat, text, hides);
            continue;
        }
        player.given = lines[at + 2].substr(4);
        check(player.answer(text), player.given, text);
        check(player.seen, lines[at + 1].substr(2), text);
        at += 2;
    }
}

// A round in which the judge's `random` played: the same answers from the same numbers.
template <class State>
static bool playedByRandom(const std::string &title, const std::vector<std::string> &lines) {
    const std::size_t at = title.find(" in seat "), seed = title.find(", random, seed ");
    if (at == std::string::npos || seed == std::string::npos) return false;
    const int seat = 3 - (title[at + 9] - '0');
    Witness<State> player;
    player.given = "random";
    player.random = judge::Random(std::strtoull(title.c_str() + seed + 15, nullptr, 10),
                                  static_cast<std::uint64_t>(3 + seat));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i][0] - '0' != seat) continue;
        const std::string text = lines[i].substr(2);
        if (judge::split(text, ' ')[0].back() != '?') {
            player.notice(text);
            continue;
        }
        check(player.answer(text), lines[i + 2].substr(4), title);
        i += 2;
    }
    return true;
}

template <class State>
static void checkFile(const std::string &path, const std::string &game) {
    std::ifstream file(path);
    if (!file) std::exit((std::cerr << "cannot read " << path << "\n", 1));
    std::vector<std::pair<std::string, std::vector<std::string>>> rounds;
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("round ", 0) == 0) {
            rounds.push_back({line, {}});
        } else if (!line.empty()) {
            rounds.back().second.push_back(line);
        }
    }
    int random = 0;
    const bool hides = game == "mahjong", open = !hides && game != "agamemnon";
    for (const auto &[title, lines] : rounds) {
        replay<State>(lines, hides);
        if (open) random += playedByRandom<State>(title, lines);
    }
    check(open ? random > 0 ? "some" : "none" : "some", "some", game + ": rounds of `random`");
}

static void checkRandom() {
    judge::Random random(0);
    check(std::to_string(random.next()), "3234325189", "seed 0");
    check(std::to_string(random.next()), "1963755818", "seed 0");
    check(std::to_string(judge::Random(9007199254740991u, 12).next()), "3946898693", "stream 12");
    std::vector<int> items = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    judge::Random(2022).shuffle(items);
    std::string text;
    for (int item : items) text += std::to_string(item);
    check(text, "8356079412", "shuffle");
}

int main(int, char **arguments) {
    const std::string golden = arguments[1];
    checkRandom();
    checkFile<judge::agamemnon::State>(golden + "/agamemnon.txt", "agamemnon");
    checkFile<judge::amazons::State>(golden + "/amazons.txt", "amazons");
    checkFile<judge::cc::State>(golden + "/cc.txt", "cc");
    checkFile<judge::mahjong::State>(golden + "/mahjong.txt", "mahjong");
    checkFile<judge::patchwork::State>(golden + "/patchwork.txt", "patchwork");
    std::cout << checked << " checks of the games' headers\n";
}
