//! States and answers of `mahjong`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| judge_fuzz::play("mahjong", text));
