//! States and answers of `mahjong`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::run("mahjong", bytes));
