//! Tools around the judge: self-test, doctor, games, rules.

pub mod doctor;
pub mod games;
pub mod rules;
pub mod selftest;
