//! The rules of every game that the judge referees: pure and deterministic, so that a bot in Rust
//! can use the very code that judges it.

pub mod conformance;
mod game;
mod learning;
pub(crate) mod picture;
mod registry;
mod state;
pub(crate) mod text;
#[cfg(feature = "vectors")]
pub mod vectors;

pub use game::{
    Game, IllegalMove, MAX_LISTED, Match, OpponentInfo, OptionError, OptionInfo, Step,
    next_question,
};
pub use learning::{
    BodyError, Header, Learned, Learner, MAX_PLAYOUTS, MAX_TABLE_BYTES, Plan, TableError,
    read_table,
};
pub use registry::{all, find};
pub use state::{ResumeError, Standing, Term, View};

registry::games! { mahjong, patchwork, agamemnon, cc, amazons }
