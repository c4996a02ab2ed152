// Runtime error: there is no module `node:fs` here
// judge: game=mahjong
import fs from 'node:fs';
