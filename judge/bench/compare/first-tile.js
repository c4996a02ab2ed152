// judge: game=mahjong
import { run } from 'judge-bot';
import * as mahjong from 'judge-bot/mahjong';
run(mahjong, (state) => mahjong.legalMoves(state)[0]);
