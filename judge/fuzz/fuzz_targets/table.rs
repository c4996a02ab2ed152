//! Tables of trained players.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::run("table", bytes));
