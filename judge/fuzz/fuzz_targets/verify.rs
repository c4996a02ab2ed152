//! Replays, held against the rules.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| judge_fuzz::verify(text));
