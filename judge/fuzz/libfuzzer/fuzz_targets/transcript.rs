//! What a worker tells of a match.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::run("transcript", bytes));
