// build: --game amazons
// check: --game amazons --no-imports
// The class is in the student's own header, which has the name of one of the lab's. It is not a
// MyBrain, whatever a comment says. <csignal> can be read with the flags of the build only.
//
// hears: game amazons seat 1 size=10
// hears: opponent d10-d8/g8
// hears: opponent a7-a6/a5
// hears: move? 3b2b3/10 w
// says: game opponent opponent
#include <csignal>

#include "game.h"
