//! Bytes that claim to be a module, and bytes that claim to come from a worker.

use std::sync::LazyLock;

use judge_core::{Limits, Player, Verdict};
use judge_sandbox::intake::{IntakeRefusal, inspect};
use judge_sandbox::{BotPlayer, Compiled, Sandbox, worker};

pub(crate) static SANDBOX: LazyLock<Sandbox> =
    LazyLock::new(|| Sandbox::new().expect("the engine starts"));

/// Enough for a bot's first answers, but short for an endless loop.
pub(crate) const LIMITS: Limits =
    Limits { fuel: 20_000_000, memory_bytes: 2 << 20, log_bytes: 64 << 10 };

/// A small bot to damage.
const BOT: &[u8] = include_bytes!("../../../sample-bots/prebuilt/mahjong-straightforward.wasm");

/// Passes bytes to intake.
///
/// # Panics
/// When intake and engine disagree, or a refusal has no reason.
pub fn intake(bytes: &[u8]) {
    let decision = inspect(bytes);
    assert_eq!(inspect(bytes), decision, "decided otherwise the second time");
    let engine = SANDBOX.validate(bytes);
    match decision {
        Ok(_) => assert_eq!(engine, Ok(()), "intake takes what the engine refuses"),
        Err(refusal @ IntakeRefusal::Malformed { .. }) => {
            assert!(engine.is_err(), "only intake refuses it: {refusal}");
            tells(&refusal);
        }
        Err(refusal) => tells(&refusal),
    }
}

/// Checks that a refusal is one line for the reason and one for the hint, without control
/// characters.
fn tells(refusal: &IntakeRefusal) {
    let text = refusal.to_string();
    assert!(text.split('\n').count() == 2 && text.contains("\nhint: "), "{text:?}");
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
}

/// A bot with some bytes changed: each four bytes are an offset and a value.
///
/// # Panics
/// As [`intake`], and when an accepted module does not compile or makes the judge fail.
pub fn damaged(edits: &[u8]) {
    let mut module = BOT.to_vec();
    for edit in edits.as_chunks::<4>().0 {
        let [low, high, how, byte] = *edit;
        let place = usize::from(u16::from_le_bytes([low, high])) % module.len();
        match how % 4 {
            0 | 1 => module[place] = byte,
            2 => module.insert(place, byte),
            _ => drop(module.remove(place)),
        }
        if module.is_empty() {
            return;
        }
    }
    intake(&module);
    if inspect(&module).is_ok() {
        let compiled = Compiled::new(&SANDBOX, &module).expect("intake took it");
        let mut player = BotPlayer::new(&compiled, LIMITS);
        for line in ["game seat 1", "discard? 1b"] {
            if let Err(fault) = player.ask(line, &mut String::new()) {
                assert_ne!(fault.verdict, Verdict::JudgeError, "{}", fault.detail);
                return;
            }
        }
    }
}

/// Reads bytes as from a worker's pipe.
///
/// # Panics
/// When an accepted value is not accepted again.
pub fn pipe(bytes: &[u8]) {
    let told = worker::retell(bytes);
    assert_eq!(worker::retell(&told), told);
}
