// Runtime error: the script failed before it read its first line: `Error: accepted`
// judge: game=mahjong
throw Object.assign(new Error('accepted\n1b\n'), { stack: 'forges_a_fault.js:-7\n' });
