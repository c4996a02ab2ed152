// judge: game=amazons
//! The search of bot.cpp, with the kit of Rust.

use judge_bot::amazons::{Brain, Move, Position, Side};

#[derive(Default)]
struct Measured;

fn room(position: &Position, side: Side) -> i64 {
    let reached = position.amazons(side).map(|square| position.reach(square).squares().count());
    reached.sum::<usize>() as i64
}

impl Brain for Measured {
    fn choose(&mut self, position: &Position) -> Move {
        let mut moves = Vec::new();
        position.each_move(|found| moves.push(found));
        let side = position.to_move();
        let (mut best, mut most) = (moves[0], i64::MIN);
        for candidate in moves.into_iter().take(50) {
            let mut after = position.clone();
            after.play_unchecked(candidate);
            let found = room(&after, side) - room(&after, side.other());
            if found > most {
                (best, most) = (candidate, found);
            }
        }
        best
    }
}

judge_bot::amazons_bot!(Measured, name: "measured", author: "judge");
