//! Modules out of a generator, by the thousand: each is refused, fails or answers, and the engine
//! takes whatever intake takes.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use judge_core::{Limits, Player, Verdict};
use judge_sandbox::{BotPlayer, CompileError, Compiled, Sandbox};
use rand_core::Rng;
use wasm_smith::{Config, Module};

/// How many modules; `GENERATED_MODULES` sets another number for a long run.
const MODULES: u64 = 2_000;

/// Bytes of randomness for a module: about as many as it will have.
const ENTROPY: usize = 4096;

/// What every bot exports.
const SHAPE: &str = r#"(module
    (memory (export "memory") 1 8)
    (func (export "judge_buffer") (result i32) unreachable)
    (func (export "judge_line") (param i32) (result i32) unreachable))"#;

/// Modules as intake takes them, but for what it refuses in some of them.
fn config() -> Config {
    Config {
        exports: Some(wat::parse_str(SHAPE).unwrap()),
        max_imports: 0,
        max_memories: 1,
        max_memory32_bytes: 1 << 20,
        max_table_elements: 20_000,
        max_tables: 4,
        max_instructions: 400,
        exceptions_enabled: false,
        gc_enabled: false,
        memory64_enabled: false,
        relaxed_simd_enabled: false,
        tail_call_enabled: false,
        threads_enabled: false,
        ..Config::default()
    }
}

fn module(seed: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; ENTROPY];
    rand_pcg::Pcg64::new(seed.into(), 0).fill_bytes(&mut bytes);
    let module = Module::new(config(), &mut arbitrary::Unstructured::new(&bytes)).ok()?;
    Some(module.to_bytes())
}

/// What became of a module, in a word.
fn play(sandbox: &Sandbox, bytes: &[u8]) -> &'static str {
    let compiled = match Compiled::new(sandbox, bytes) {
        Ok(compiled) => compiled,
        Err(CompileError::Refused(_)) => return "refused",
        Err(error @ CompileError::Engine(_)) => panic!("{error}"),
    };
    let limits = Limits { fuel: 3_000_000, memory_bytes: 2 << 20, log_bytes: 1024 };
    let mut player = BotPlayer::new(&compiled, limits);
    let mut answer = String::new();
    match player.ask("discard?", &mut answer).map_err(|fault| fault.verdict) {
        Ok(_) => "answered",
        Err(Verdict::ProtocolError | Verdict::OutputLimitExceeded) => "returned",
        Err(Verdict::TimeLimitExceeded) => "out of time",
        Err(Verdict::RuntimeError) => "trapped",
        Err(Verdict::MemoryLimitExceeded | Verdict::InvalidModule) => "out of memory",
        Err(verdict) => panic!("{verdict}"),
    }
}

#[test]
fn generated_modules_are_refused_fail_or_answer() {
    let number = std::env::var("GENERATED_MODULES").ok().and_then(|text| text.parse().ok());
    let sandbox = Sandbox::new().unwrap();
    let mut count: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..number.unwrap_or(MODULES) {
        let Some(bytes) = module(seed) else { continue };
        // Says which module it was, should the engine crash: shown with a failure only.
        println!("seed {seed}");
        *count.entry(play(&sandbox, &bytes)).or_default() += 1;
    }
    println!("{count:?}");
    let total: u64 = count.values().sum();
    let refused = count.get("refused").copied().unwrap_or(0);
    assert!(refused * 2 < total, "most of them must run: {count:?}");
}
