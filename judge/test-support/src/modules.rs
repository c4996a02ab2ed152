//! Generated modules by number: bots and programs with a random inner function, modules with
//! features that are off, and damaged ones. Each number always gives the same module.

use arbitrary::Unstructured;
use rand_core::Rng as _;
use rand_pcg::Pcg64;
use wasm_smith::{Config, Module};

use crate::frame;

/// Random bytes for the smallest modules, about as many as their size.
const ENTROPY: usize = 1024;

/// In each cycle of this length, one module is damaged and one uses any feature.
const CYCLE: u64 = 8;

/// The intended kind of a generated module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModuleKind {
    /// Transport A.
    Bot,
    /// Transport B.
    Program,
    /// A bot that may use features which are off.
    Foreign,
    /// A bot with some bytes changed.
    Damaged,
}

/// The kind of the module of this number.
pub fn kind(number: u64) -> ModuleKind {
    match number % CYCLE {
        0 => ModuleKind::Damaged,
        1 => ModuleKind::Foreign,
        2..=4 => ModuleKind::Program,
        _ => ModuleKind::Bot,
    }
}

/// Module number `number`.
pub fn module(number: u64) -> Vec<u8> {
    let mut random = Pcg64::new(number.into(), 0);
    let mut entropy = vec![0; ENTROPY << (number % 3)];
    random.fill_bytes(&mut entropy);
    let kind = kind(number);
    let config = config(number, kind);
    let module = Module::new(config, &mut Unstructured::new(&entropy)).expect("enough randomness");
    let mut bytes = frame::around(&module.to_bytes(), kind == ModuleKind::Program);
    if kind == ModuleKind::Damaged {
        damage(&mut bytes, &mut random);
    }
    bytes
}

/// Only the features of the engine, except for `Foreign` modules.
fn config(number: u64, kind: ModuleKind) -> Config {
    let foreign = kind == ModuleKind::Foreign;
    // One feature at a time: otherwise every module would use several.
    let only = |feature: u64| foreign && number / CYCLE % 8 == feature;
    let log = number.is_multiple_of(2);
    Config {
        module_shape: Some(if kind == ModuleKind::Program {
            frame::program()
        } else {
            frame::bot(log)
        }),
        // Half of them may trap at any instruction; the others run longer.
        disallow_traps: (number / CYCLE).is_multiple_of(2),
        allow_start_export: number % 16 == 7,
        // Off for most: with this feature the generator uses `externref`, which intake refuses.
        reference_types_enabled: foreign || number / CYCLE % 4 == 1,
        max_funcs: 12,
        max_instructions: 120,
        max_memories: if only(0) { 2 } else { 1 },
        max_memory32_bytes: 1 << 20,
        max_table_elements: 20_000,
        max_tables: 4,
        exceptions_enabled: only(1),
        gc_enabled: only(2),
        memory64_enabled: only(3),
        relaxed_simd_enabled: only(4),
        tail_call_enabled: only(5),
        threads_enabled: only(6),
        wide_arithmetic_enabled: only(7),
        ..Config::default()
    }
}

/// Changes up to eight bytes after the header.
fn damage(bytes: &mut [u8], random: &mut Pcg64) {
    for _ in 0..=random.next_u32() % 8 {
        let place = 8 + random.next_u64() % (bytes.len() as u64 - 8);
        bytes[place as usize] = random.next_u32() as u8;
    }
}
