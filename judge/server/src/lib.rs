//! The server of a course: people hand in bots, see them judged, and climb a scoreboard.
//!
//! [`app`] is everything that answers a request, without a socket; [`grading`] plays what was handed
//! in; [`commands`] are the tasks around it.

pub mod api;
pub mod args;
pub mod commands;
pub mod config;
pub mod grading;
pub mod hooks;
pub mod hosted;
pub mod hub;
mod instruments;
pub mod outside;
pub mod pages;
pub mod retold;
mod router;
pub mod sign_on;
pub mod signatures;
pub mod standings;
mod state;
pub mod uploads;
pub mod web;
pub mod words;

pub use router::app;
pub use state::App;
