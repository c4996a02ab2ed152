//! Reports of grading.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| judge_fuzz::report(text));
