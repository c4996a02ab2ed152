//! Tests over several modules, and what the tests of this folder share.

mod game;
pub(super) mod games;
mod legality;
mod playthrough;
