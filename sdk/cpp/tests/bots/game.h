// Of class_in_a_header.cpp: answers with the first words of all lines so far.
#pragma once

#include "bot.h"

class MyBot : public Bot {
public:
    std::string answer(const std::string &) override { return heard; }

    void notice(const std::string &line) override {
        if (!heard.empty()) heard += " ";
        heard += words(line).at(0);
    }

private:
    std::string heard;
};
