//! States and answers of `agamemnon`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| judge_fuzz::play("agamemnon", text));
