//! What a worker tells of a match.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| judge_fuzz::transcript(text));
