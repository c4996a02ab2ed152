//! Bytes that claim to be a module.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::run("intake", bytes));
