//! Bytes that claim to come from a worker.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::run("pipe", bytes));
