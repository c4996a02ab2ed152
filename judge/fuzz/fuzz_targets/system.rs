//! Calls of the system by a program.
#![no_main]

libfuzzer_sys::fuzz_target!(|program: judge_fuzz::System| judge_fuzz::system(&program));
