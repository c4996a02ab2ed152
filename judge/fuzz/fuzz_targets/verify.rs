//! Replays, checked by the rules.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::run("verify", bytes));
