// The judge's lines to a Bot, which understands them by itself, and its answers back.
#pragma once

#include <string>

#include "bot.h"
#include "entry.h"
#include "line.h"

namespace judge_kit {

// One seat at the table: takes lines and answers those that are questions.
class Seat {
public:
    // Takes the line of `length` bytes in `line`, which has room for maxLine bytes, and leaves the
    // answer there. Returns the answer's length: 0 for a notice. Of an answer that is too long only
    // the start is left there, but the full length is returned, so that the judge reports it.
    int take(char *line, int length) {
        const std::string text(line, static_cast<std::size_t>(length));
        if (!bot_ || text.rfind("game ", 0) == 0) bot_ = renewPlayer();
        if (!isQuestion(line, length)) {
            bot_->notice(text);
            return 0;
        }
        const std::string answer = bot_->answer(text);
        answer.copy(line, static_cast<std::size_t>(maxLine));
        return static_cast<int>(answer.size());
    }

private:
    Bot *bot_ = nullptr;
};

}  // namespace judge_kit
