//! The server of a course: students submit bots, follow their grading, and climb a scoreboard.
//!
//! [`app`] answers all requests, without a socket; [`grading`] plays submissions; [`commands`] runs
//! the other tasks.

pub mod api;
pub mod args;
mod builds;
pub mod commands;
pub mod config;
mod drawings;
pub mod grading;
pub mod hooks;
pub mod hosted;
pub mod hub;
mod instruments;
pub mod lti;
pub mod mail;
pub mod outside;
pub mod own_data;
pub mod pages;
pub mod people_list;
pub mod retention;
mod router;
pub mod sign_on;
pub mod signatures;
pub mod standings;
mod state;
pub mod translate;
mod turns;
pub mod uploads;
pub mod web;
pub mod words;

pub use router::app;
pub use state::App;
