//! States and answers of `cc`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| judge_fuzz::play("cc", text));
