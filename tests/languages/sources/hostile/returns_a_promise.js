// Runtime error: chooseMove returned a promise, as it is `async`, which is no move
// judge: game=mahjong
import { run } from 'judge-bot';
import * as mahjong from 'judge-bot/mahjong';

run(mahjong, async (state) => mahjong.legalMoves(state)[0]);
