//! Rule switches of every game.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| judge_fuzz::options(text));
