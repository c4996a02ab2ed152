//! The kit for bots in Rust: implement a game's trait, export the type, build for
//! `wasm32-unknown-unknown`.
//!
//! ```
//! use judge_bot::mahjong::{Brain, Hand, Tile};
//!
//! #[derive(Default)]
//! struct Largest(Hand);
//!
//! impl Brain for Largest {
//!     fn draw(&mut self, tile: Tile) {
//!         self.0.insert(tile).expect("the judge deals at most four of a tile");
//!     }
//!     fn discard(&mut self) -> Tile {
//!         let largest = self.0.largest().expect("asked with 14 tiles");
//!         assert!(self.0.remove(largest));
//!         largest
//!     }
//! }
//!
//! judge_bot::mahjong_bot!(Largest, name: "largest", author: "me");
//! ```

pub mod agamemnon;
pub mod amazons;
mod bot;
pub mod cc;
pub mod export;
mod greeting;
mod log;
pub mod mahjong;
pub mod patchwork;

pub use bot::Bot;
/// Seats, and random numbers that are the same on every machine.
pub use judge_core::{Purpose, Random, Seat, Seed};
pub use log::log;
