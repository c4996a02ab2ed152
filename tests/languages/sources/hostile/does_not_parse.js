// Runtime error: `does_not_parse.js:4: SyntaxError: 
// judge: game=mahjong
function chooseMove(state) {
  return state.;
}
