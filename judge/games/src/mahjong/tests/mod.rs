//! Tests of several modules, and the parts that they share.

mod game;
pub(super) mod hands;
pub(super) mod playthrough;
pub(super) mod rounds;
mod states;
mod views;
