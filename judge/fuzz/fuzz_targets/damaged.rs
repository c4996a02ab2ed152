//! A bot with some bytes changed.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge_fuzz::run("damaged", bytes));
