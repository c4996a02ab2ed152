//! Standings of arenas: worked out from all pairs of a season, never brought up to date in place.
//! What is expensive is kept for as long as no further pair has a result.

mod book;
mod books;
mod record;
mod season;
mod table;

pub use book::Book;
pub use books::Books;
pub use record::Record;
pub use season::{FrozenLine, PLACES, frozen, read_frozen, undecided, whole};
pub use table::{Standing, Table};
