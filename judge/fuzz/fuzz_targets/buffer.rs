//! Addresses and lengths of a bot.
#![no_main]

libfuzzer_sys::fuzz_target!(|bot: judge_fuzz::Buffer| judge_fuzz::buffer(&bot));
