//! Standings of arenas, computed from all pairs of a season rather than updated pair by pair. The
//! ratings are cached until another pair has a result.

mod record;
mod season;
mod season_cache;
mod season_results;
mod table;

pub use record::Record;
pub use season::{
    FinalLine, FinalTable, PLACES, final_table, read_final_table, rounded, undecided,
};
pub use season_cache::SeasonCache;
pub use season_results::SeasonResults;
pub use table::{LadderTable, TableLine};
