//! Counting the games of so many plies from a position, to check move generation against others.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::{Change, Position, visit_paths};

/// Number of sequences of `depth` moves, every path a separate move. Each is played out to its last
/// move; a finished game has none.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.decided().is_some() {
        return 0;
    }
    let mut count = 0;
    // The visitor never breaks.
    let _ = visit_paths(position, |_, change| {
        count += perft(&position.after(change), depth - 1);
        ControlFlow::Continue(())
    });
    count
}

/// Like [`perft`], but paths with equal start, end and capture are one move.
pub fn perft_changes(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.decided().is_some() {
        return 0;
    }
    let changes = changes(position);
    changes.into_iter().map(|change| perft_changes(&position.after(change), depth - 1)).sum()
}

/// The different changes that the side on turn can make, in order.
pub fn changes(position: &Position) -> BTreeSet<Change> {
    let mut changes = BTreeSet::new();
    // The visitor never breaks.
    let _ = visit_paths(position, |_, change| {
        changes.insert(change);
        ControlFlow::Continue(())
    });
    changes
}
