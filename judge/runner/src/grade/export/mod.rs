//! `judge export`: a suite and the judge, packed for a course tool.

pub mod gradescope;
mod pack;
