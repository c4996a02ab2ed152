//! Arenas: bots that authors entered play pairs of rounds, which all members of the course can
//! watch. Ratings are not stored: the server computes them from the pairs.

mod arena;
mod bots;
mod challenges;
mod entering;
mod history;
mod pairs;
mod results;
mod seasons;
mod seeds;

pub use arena::{Arena, ArenaState, NewArena};
pub(crate) use arena::{arenas_in, insert_arena, references};
pub use bots::{BotStatus, HeldVersion, LadderBot, PublicBot, RatedVersion};
pub use challenges::{MOST_CHALLENGES, MOST_CHALLENGES_A_DAY};
pub use entering::{MOST_BOTS, MOST_VERSIONS};
pub use history::{PairRow, RoundLine, SeasonPair};
pub use pairs::{LadderJob, LadderSide, PairKind, PairState};
pub use results::{BENCH_SHARE, BENCH_WINDOW, FEW_FAULTS, MOST_RECORDS, NewRound, PairResult};
pub use seasons::Season;
pub(crate) use seasons::season_in;
