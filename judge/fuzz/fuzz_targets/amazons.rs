//! States and answers of `amazons`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| judge_fuzz::play("amazons", text));
