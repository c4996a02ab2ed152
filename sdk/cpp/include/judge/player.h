// Player: a bot that is asked for moves, given the state of its game.
#pragma once

#include "bot.h"
#include "judge/game.h"
#include "judge/random.h"

namespace judge {

// A `class MyBot : public judge::Player<judge::amazons::State>` chooses the moves.
template <class State>
class Player : public Bot {
public:
    // The state of the round; complete at each question.
    State state;
    // Random numbers, the same in every repetition of a round.
    Random random;

    // YOUR MOVE: one of legalMoves(state).
    virtual typename State::Move chooseMove(const State &state) = 0;

    void notice(const std::string &line) override {
        const Words parts = split(line, ' ');
        if (parts[0] == "game") {
            state = State::start(Greeting(parts));
        } else {
            state = hear(state, parts);
        }
    }

    std::string answer(const std::string &question) override {
        state = ask(state, split(question, ' '));
        const typename State::Move move = chooseMove(state);
        state = apply(state, move);
        return formatMove(move);
    }
};

}  // namespace judge
