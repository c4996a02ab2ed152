//! States and answers of `agamemnon`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::run("agamemnon", bytes));
