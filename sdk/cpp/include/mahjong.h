// The tiles of the arcade Mahjong lab: Suit, Tile, Hand and getScore.
#pragma once

#include "mahjong/hand.h"
#include "mahjong/text.h"
#include "mahjong/tile.h"
