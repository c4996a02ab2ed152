// Time limit exceeded: the testcase's time ran out
// judge: game=mahjong
globalThis.judgeLine = (line) => {
  let found = true;
  try {
    found = /^(a*)*$/.test('a'.repeat(200) + 'b') || /(((((((((((a|b)*)*)*)*)*)*)*)*)*)*)*c/.test('ab');
  } catch (error) {
    judgeLog(error);
  }
  return line.endsWith('?') || line.startsWith('win?') ? line.split(' ').length : undefined;
};
