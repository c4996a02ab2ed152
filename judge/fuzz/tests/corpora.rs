//! The stored corpora, and changes of them from a fixed seed, as a fuzzer would make first.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use judge_fuzz::{TARGETS, Target};
use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64;

/// Most changes to an input.
const CHANGES: u64 = 4;

/// Special bytes for many parsers.
const SPECIAL: &[u8] = b"\0\n\r \t\"\\-.=0159\x7f\x80\xff";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The names of a folder's entries without extensions, in order.
fn stems(folder: &Path) -> BTreeSet<String> {
    let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// Number of changed inputs for each target: a thousand with `JUDGE_TESTS=all`, else a hundred.
fn changed_inputs() -> usize {
    let all = std::env::var_os("JUDGE_TESTS").is_some_and(|which| which == "all");
    if all { 1000 } else { 100 }
}

/// A random index below `length`.
fn below(random: &mut Pcg64, length: usize) -> usize {
    (random.next_u64() % (length as u64).max(1)) as usize
}

/// One of the stored inputs with a few changes, including pieces of the others.
fn change(kept: &[Vec<u8>], random: &mut Pcg64) -> Vec<u8> {
    let mut input = kept[below(random, kept.len())].clone();
    for _ in 0..=random.next_u64() % CHANGES {
        let place = below(random, input.len() + 1);
        let end = (place + 1 + below(random, 8)).min(input.len());
        match random.next_u64() % 5 {
            0 if place < input.len() => input[place] ^= 1 << (random.next_u64() % 8),
            1 if place < input.len() => input[place] = SPECIAL[below(random, SPECIAL.len())],
            2 => drop(input.drain(place..end)),
            3 => input.insert(place, random.next_u64() as u8),
            _ => {
                let other = &kept[below(random, kept.len())];
                let from = below(random, other.len());
                let piece = &other[from..(from + 1 + below(random, 64)).min(other.len())];
                drop(input.splice(place..place, piece.iter().copied()));
            }
        }
    }
    input
}

/// Prints the input on which a target panics.
fn hold(name: &str, target: Target, input: &[u8]) {
    let held = catch_unwind(AssertUnwindSafe(|| target(input)));
    assert!(held.is_ok(), "{name} breaks at b\"{}\"", input.escape_ascii());
}

#[test]
fn every_fuzz_target_passes_on_its_changed_corpus() {
    for (name, target) in TARGETS {
        let corpus = folder("corpus").join(name);
        let names: BTreeSet<PathBuf> =
            corpus.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
        let kept: Vec<Vec<u8>> = names.iter().map(|path| std::fs::read(path).unwrap()).collect();
        assert!(!kept.is_empty(), "{name} has a corpus");
        for input in &kept {
            hold(name, *target, input);
        }
        let mut random = Pcg64::seed_from_u64(1);
        for _ in 0..changed_inputs() {
            hold(name, *target, &change(&kept, &mut random));
        }
    }
}

#[test]
fn every_fuzz_target_has_a_corpus_and_a_file() {
    let names: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(stems(&folder("corpus")), names);
    assert_eq!(stems(&folder("fuzz_targets")), names);
    for name in names {
        let file = folder("fuzz_targets").join(&name).with_extension("rs");
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.contains(&format!("judge_fuzz::run(\"{name}\", bytes)")), "{text}");
    }
}
