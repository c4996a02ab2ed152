//! A ladder: bots come one by one, in versions that never change, and meet in pairs of rounds on
//! common luck, as in a tournament. All ratings are fitted anew to all pairs; which pair is played
//! next follows from what is known. What is kept, and where, is the caller's.

mod choice;
mod play;
mod rating;
mod setting;

pub use choice::{Entrant, Goal, choose};
pub use judge_statistics::Estimate;
pub use play::{LIMITS, LadderPlayer, Pair, Played, hide_inside, play};
pub use rating::{Ladder, RatedPair};
pub use setting::{Setting, games, unfit};
