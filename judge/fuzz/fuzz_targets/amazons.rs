//! States and answers of `amazons`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::run("amazons", bytes));
