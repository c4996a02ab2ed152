//! Testcases.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| judge_fuzz::testcase(text));
