//! Random moves: a choice among all paths, and the short opening that makes two games of the same
//! players differ.

use std::ops::ControlFlow;

use judge_core::{Purpose, Random, Seed};

use super::{Change, Path, Position, Rules, visit_paths};

/// Paths that a choice is made among, at most: positions full of men can have far too many to
/// list. Then it is made among the first of them, in the order of [`visit_paths`].
const CONSIDERED: u32 = 1 << 16;

/// A path that passes `fits`, each as likely as any other; `None` when there is none.
pub(super) fn random_path(
    position: &Position,
    random: &mut Random,
    fits: impl Fn(Change) -> bool,
) -> Option<(Path, Change)> {
    let count = walk(position, CONSIDERED, &fits).0;
    if count == 0 {
        return None;
    }
    walk(position, random.below(count) + 1, &fits).1
}

/// Goes over the paths that fit until it has seen so many; how many, and the last one if that was
/// the one asked for.
fn walk(
    position: &Position,
    until: u32,
    fits: impl Fn(Change) -> bool,
) -> (u32, Option<(Path, Change)>) {
    let (mut seen, mut last) = (0, None);
    // Whether it was broken off is in the result.
    let _ = visit_paths(position, |path, change| {
        seen += u32::from(fits(change));
        if seen < until {
            return ControlFlow::Continue(());
        }
        last = Some((*path, change));
        ControlFlow::Break(())
    });
    (seen, last)
}

/// The position that the players begin with: the start, and then as many random plies as the
/// rules say, from the stream *opening* of the seed. Each ply is a random one of the paths that
/// do not end the game; where all do, the opening is shorter.
pub(super) fn draw(rules: &Rules, seed: Seed) -> Position {
    let mut random = seed.random(Purpose::Opening);
    let mut position = *rules.start();
    for _ in 0..rules.opening {
        let goes_on = |change| position.after(change).ending().is_none();
        match random_path(&position, &mut random, goes_on) {
            Some((_, change)) => position = position.after(change),
            None => break,
        }
    }
    position
}
