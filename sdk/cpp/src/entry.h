// The interface to the student's file: the only way in which the rest of the kit reaches MyBrain or
// MyBot. The scripts choose one by macros: JUDGE_KIT_BASE is Brain or Bot, JUDGE_KIT_CLASS the
// student's class, JUDGE_KIT_SEAT the header that leads the judge's lines to it.
#pragma once

class JUDGE_KIT_BASE;

namespace judge_kit {

using Player = JUDGE_KIT_BASE;

// The player of a bot, made afresh for a new round, always at the same place.
Player *renewPlayer();

// A separate player, for native programs that hold several. Ends with `delete`.
Player *newPlayer();

}  // namespace judge_kit
