//! Tests of several modules, and the parts that they share.

mod game;
pub(super) mod games;
mod legality;
mod playthrough;
