//! Random moves: a choice among all paths, and the short opening that makes two games of the same
//! players differ.

use std::ops::ControlFlow;

use judge_core::{Purpose, Random, Seed};

use super::{Change, Path, Position, Rules, visit_paths};
use crate::MAX_LISTED;

/// Most paths among which a choice is made, or that are shown: positions full of men can have far
/// too many to list. The first ones count then, in the order of [`visit_paths`].
pub(super) const CONSIDERED: u32 = MAX_LISTED as u32;

/// A path that passes `fits`, all of them equally likely; `None` when none passes.
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

/// Visits the fitting paths up to that number; returns how many it saw, and the last one if it is
/// the requested one.
fn walk(
    position: &Position,
    until: u32,
    fits: impl Fn(Change) -> bool,
) -> (u32, Option<(Path, Change)>) {
    let (mut seen, mut last) = (0, None);
    // The result shows whether the visit was broken off.
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

/// The position in which the players begin: the start, and then as many random plies as the rules
/// say, from the stream *opening* of the seed. Each ply is a random path among those that do not
/// end the game; where all of them do, the opening is shorter.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cc::tests::set_up;
    use judge_core::Seat;

    fn rules(size: &str, opening: &str) -> Rules {
        let pairs = [("size", size), ("opening", opening)];
        let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Rules::from_options(&pairs.into()).expect("allowed values")
    }

    #[test]
    fn openings_have_their_length_and_never_end_the_game() {
        for (size, opening) in [("8", "0"), ("8", "4"), ("6", "5"), ("5", "20"), ("16", "6")] {
            for seed in 0..20 {
                let position = draw(&rules(size, opening), Seed(seed));
                assert_eq!(position.ending(), None);
                let odd = opening == "5";
                assert_eq!(position.turn() == Seat::Two, odd, "{size} {opening} {seed}");
            }
        }
        let none = rules("8", "0");
        assert_eq!(draw(&none, Seed(1)), *none.start());
    }

    #[test]
    fn seeds_give_different_openings() {
        let rules = rules("8", "4");
        let drawn: std::collections::BTreeSet<_> =
            (0..50).map(|seed| draw(&rules, Seed(seed))).collect();
        assert!(drawn.len() > 45, "{}", drawn.len());
    }

    #[test]
    fn every_path_is_equally_likely() {
        // Two steps, and two ways round the ring to each of three squares.
        let position = set_up(8, &["2,2", "2,3", "3,4", "4,3", "3,2"], &["7,7", "6,7"]);
        let mut random = Seed(3).random(Purpose::Chance);
        let mut counts = std::collections::BTreeMap::<String, u32>::new();
        let paths = walk(&position, u32::MAX, |_| true).0;
        for _ in 0..1000 * paths {
            let (path, change) = random_path(&position, &mut random, |_| true).expect("a path");
            assert_eq!(position.check(&path), Ok(change));
            *counts.entry(path.to_string()).or_default() += 1;
        }
        assert_eq!(counts.len(), paths as usize);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    #[test]
    fn no_path_is_chosen_if_none_fits() {
        let position = set_up(6, &["5,3", "4,5"], &["5,5", "5,4"]);
        let mut random = Seed(1).random(Purpose::Chance);
        assert!(random_path(&position, &mut random, |_| true).is_none());
    }
}
