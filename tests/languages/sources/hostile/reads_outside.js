// Runtime error: there is no module `../../bot.ts` here
// judge: game=mahjong
import '../../bot.ts';
