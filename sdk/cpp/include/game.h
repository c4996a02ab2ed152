// For a brain.cpp that includes game.h, where the lab declared the stream operators of tiles.
// The Game itself is the judge; a brain never sees it.
#pragma once

#include <iostream>

#include "brain.h"
#include "mahjong.h"
