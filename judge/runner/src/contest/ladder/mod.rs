//! A ladder: bots arrive one by one, in versions that never change, and play pairs of rounds with a
//! common seed, as in a tournament. All ratings are fitted to all pairs, and the next pair is the
//! one that reduces the uncertainty most. The caller stores everything.

mod choice;
mod play;
mod rating;
mod setting;

pub use choice::{Goal, LadderEntrant, choose};
pub use judge_statistics::{Estimate, RoundScore};
pub use play::{LIMITS, LadderPair, LadderPlayer, PlayedPair, hide_inside, play};
pub use rating::{LadderRatings, RatedPair};
pub use setting::{LadderRules, games, unfit};
