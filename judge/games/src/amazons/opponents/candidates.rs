//! The few moves worth a closer look, sifted out of thousands of legal ones in two stages.

use super::super::{Move, Position, Square, estimate};

/// A move, and the estimate of the position after it for the side that makes it.
pub(super) type Scored = (i32, Move);

/// Amazon moves for which the opponent examines arrows.
const LANDINGS: usize = 8;

/// The best moves by their estimates, best first, at most `width`; equal ones in the order of
/// generation. Empty without a legal move. `nodes` grows by the number of estimated positions.
pub(super) fn candidates(position: &mut Position, width: usize, nodes: &mut u32) -> Vec<Scored> {
    let side = position.to_move();
    let mut landings: Vec<(i32, (Square, Square))> = Vec::new();
    for from in position.amazons(side) {
        for to in position.reach(from).squares() {
            position.shift(from, to);
            landings.push((estimate(position, side), (from, to)));
            position.shift(to, from);
        }
    }
    *nodes += landings.len() as u32;
    best_first(&mut landings, LANDINGS);
    let mut moves = Vec::new();
    for (_, (from, to)) in landings {
        position.shift(from, to);
        for arrow in position.reach(to).squares() {
            position.shoot(arrow);
            moves.push((estimate(position, side), Move { from, to, arrow }));
            position.unshoot(arrow);
        }
        position.shift(to, from);
    }
    *nodes += moves.len() as u32;
    best_first(&mut moves, width);
    moves
}

/// Keeps the best, best first; the sort is stable.
pub(super) fn best_first<T>(scored: &mut Vec<(i32, T)>, width: usize) {
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.truncate(width);
}
