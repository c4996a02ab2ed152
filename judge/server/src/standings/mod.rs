//! Standings of arenas, computed from all pairs of a season rather than updated pair by pair. The
//! ratings are cached until another pair has a result.

mod book;
mod books;
mod record;
mod season;
mod table;

pub use book::Book;
pub use books::Books;
pub use record::Record;
pub use season::{
    FinalLine, FinalTable, PLACES, final_table, read_final_table, rounded, undecided,
};
pub use table::{LadderTable, TableLine};
