//! A bot with some bytes changed.
#![no_main]

libfuzzer_sys::fuzz_target!(|edits: &[u8]| judge_fuzz::damaged(edits));
