//! The rules of every game that the judge referees: pure and deterministic, so that a bot in Rust
//! can use the very code that judges it.

pub mod conformance;
mod game;
mod learning;
mod option;
mod paint;
pub(crate) mod picture;
mod pointing;
mod registry;
mod state;
mod table;
pub(crate) mod text;
#[cfg(feature = "vectors")]
mod vector_error;
#[cfg(feature = "vectors")]
pub mod vectors;
pub mod words;

pub use game::{Game, GameState, IllegalMove, MAX_LISTED, OpponentInfo, Step, next_question};
pub use learning::{
    BodyError, Header, Learned, Learner, MAX_PLAYOUTS, MAX_TABLE_BYTES, Plan, TableError,
};
pub use option::{OptionError, OptionInfo};
pub use paint::{Paint, seat_words};
pub use pointing::{Choice, Choices, Target};
pub use registry::{all, find};
pub use state::{ResumeError, Standing, Term, View};
pub use table::read_table;

registry::games! { mahjong, patchwork, agamemnon, cc, amazons }
