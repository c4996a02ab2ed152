//! Tests over several modules, and what the tests of this folder share.

mod game;
pub(super) mod hands;
pub(super) mod playthrough;
pub(super) mod rounds;
mod states;
mod views;
