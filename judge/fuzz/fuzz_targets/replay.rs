//! Records of matches.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| judge_fuzz::replay(text));
