//! Counting positions by playing every move out: the check of the move generator, and a benchmark.

use std::hint::black_box;

use super::Position;

/// Number of move sequences of exactly `depth` turns. Each one is played to its last arrow and
/// taken back; none is only counted.
pub fn perft(position: &Position, depth: u32) -> u64 {
    count(&mut position.clone(), depth)
}

fn count(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        // Without this the optimiser may see that playing and taking back cancel out.
        black_box(position);
        return 1;
    }
    let mut leaves = 0;
    for from in position.amazons(position.to_move()) {
        for to in position.reach(from).squares() {
            position.shift(from, to);
            for arrow in position.reach(to).squares() {
                position.shoot(arrow);
                leaves += count(position, depth - 1);
                position.unshoot(arrow);
            }
            position.shift(to, from);
        }
    }
    leaves
}
