// Where the kit meets the student's file: the only way in which the rest of it reaches MyBrain.
#pragma once

class Brain;

namespace judge_kit {

// The brain of a bot, made afresh for a new round; it always stands in the same place.
Brain *renewBrain();

// A brain of its own, for native programs that hold several. Ends with `delete`.
Brain *newBrain();

}  // namespace judge_kit
