//! The choice of the best candidate after the tiles that may come next.

use std::cmp::Reverse;

use judge_bot::agamemnon::{Action, Bag, Board, Kind, Position, Question, Seat, State, score};
use judge_bot::{Purpose, Random, Seed};

use crate::turn::{Candidate, Field, lead, place_well};

/// Candidates that are examined further.
const FIELD: usize = 16;

/// Approximate number of scores computed for each halving of the field.
const WORK: usize = 1_500;

/// Tiles placed in a future: the reply and the own turn after it.
const AHEAD: usize = 4;

/// With at most so many tiles left, a future goes to the end of the game.
const NEAR: usize = 7;

/// Most futures for one halving: near the end there are not so many different ones.
const MOST_FUTURES: usize = 64;

/// The action with the best mean lead.
pub(crate) fn choose(question: &Question) -> Action {
    let State { board, position } = &question.state;
    let seat = position.to_move();
    let mut field = Field::new(&question.state, &question.drawn, FIELD).best;
    let mut sums = vec![0; field.len()];
    let mut random = Seed(fingerprint(position)).random(Purpose::Bot(seat));
    while field.len() > 1 && !field[0].after.is_over() {
        for _ in 0..futures(board, &field) {
            // All candidates meet the same future, so that luck affects all alike.
            let coming = coming(&field[0].after, &mut random);
            for (sum, candidate) in sums.iter_mut().zip(&field) {
                *sum += look_ahead(board, candidate.after, &coming, seat);
            }
        }
        (field, sums) = better_half(&field, &sums);
    }
    field.first().expect("an empty node is left in every turn").action
}

/// Number of futures that each candidate of the field meets before the next halving.
fn futures(board: &Board, field: &[Candidate]) -> usize {
    let after = &field[0].after;
    let nodes = after.empty(board).count_ones() as usize;
    let scores = field.len() * tiles_ahead(after) * nodes;
    (WORK / scores.max(1)).clamp(1, MOST_FUTURES)
}

/// The candidates with the larger sums, in the order of their sums.
fn better_half(field: &[Candidate], sums: &[i64]) -> (Vec<Candidate>, Vec<i64>) {
    let mut order: Vec<usize> = (0..field.len()).collect();
    order.sort_by_key(|at| Reverse(sums[*at]));
    order.truncate(field.len().div_ceil(2));
    order.iter().map(|at| (field[*at], sums[*at])).unzip()
}

fn tiles_ahead(after: &Position) -> usize {
    let left = Position::TILES - after.len();
    if left <= NEAR { left } else { AHEAD }
}

/// The next tiles of each side, from its tiles not placed yet.
fn coming(after: &Position, random: &mut Random) -> [Vec<Kind>; 2] {
    Seat::BOTH.map(|seat| {
        let mut bag = Bag::from_position(after, seat);
        (0..tiles_ahead(after)).filter_map(|_| bag.draw(random)).collect()
    })
}

/// The lead of `seat` after each of the next tiles is placed where it is best at once.
fn look_ahead(board: &Board, after: Position, coming: &[Vec<Kind>; 2], seat: Seat) -> i64 {
    let mut tiles = coming.each_ref().map(|kinds| kinds.iter());
    let mut position = after;
    for _ in 0..tiles_ahead(&after) {
        let kind = tiles[position.to_move().index()].next();
        let Some(next) = kind.and_then(|kind| place_well(board, &position, *kind)) else { break };
        position = next;
    }
    lead(score(board, &position), seat)
}

/// A number that differs from state to state, for the luck of the futures.
fn fingerprint(position: &Position) -> u64 {
    position.placed().fold(0, |hash: u64, placed| {
        let tile = u64::from(placed.node) << 8 | placed.kind.index() as u64;
        (hash ^ tile).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_bot::agamemnon::{Edge2428, Mapping};

    fn question(tiles: &str, drawn: &str) -> Question {
        let edges = State::standard().edges_text();
        let state = State::parse(tiles, &edges).expect("a state");
        Question { drawn: drawn.parse().expect("a draw"), state }
    }

    #[test]
    fn the_last_tile_is_placed_for_the_score() {
        let tiles = "Og30Bh11Bf23Oh14Oa04Bb21Ba20Of02Od27Bi13Bc05Of06Og28Bg29Be24Oe00Oj19Bg22Bf07\
                     Oi26Oj09Bj15Bd10Oc03Oi18Bj25Bi31Of16Ob12";
        let question = question(tiles, "f");
        let best = Field::new(&question.state, &question.drawn, FIELD).best;
        assert_eq!(choose(&question), best[0].action);
    }

    #[test]
    fn equal_states_get_equal_legal_answers() {
        for (tiles, drawn) in [("", "c"), ("Oa14", "fj"), ("Oa14Bb18Bf19", "ij")] {
            let question = question(tiles, drawn);
            let action = choose(&question);
            let State { board, position } = &question.state;
            assert_eq!(position.check(board, &question.drawn, &action), Ok(()));
            assert_eq!(choose(&question), action);
        }
    }

    #[test]
    fn the_better_half_is_kept_in_order() {
        let state = State::loom(Mapping::DEFAULT, Edge2428::A);
        let field = Field::new(&state, &"a".parse().expect("a draw"), 9).best;
        let (kept, sums) = better_half(&field[..5], &[3, -1, 7, 7, 0]);
        assert_eq!(sums, [7, 7, 3]);
        assert_eq!(kept[0].action, field[2].action);
        assert_eq!(kept[2].action, field[0].action);
    }

    #[test]
    fn only_remaining_tiles_can_be_drawn() {
        let state = question("Oa14Bb15Bj16Oc17Of18", "ff").state;
        let mut random = Seed(1).random(Purpose::Bot(Seat::One));
        for _ in 0..50 {
            let [one, two] = coming(&state.position, &mut random);
            assert_eq!((one.len(), two.len()), (AHEAD, AHEAD));
            assert!(!one.contains(&Kind::LeaderA) && !two.contains(&Kind::LeaderB));
        }
    }
}
