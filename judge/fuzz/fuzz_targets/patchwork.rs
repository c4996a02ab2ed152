//! States and answers of `patchwork`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| judge_fuzz::play("patchwork", text));
