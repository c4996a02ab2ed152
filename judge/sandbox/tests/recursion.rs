//! Depth at which a recursion overflows: fixed by the engine and its settings, and the same on
//! every machine of an architecture.
#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_core::{Limits, Player, Verdict};
use judge_sandbox::{BotPlayer, Compiled, Sandbox};

/// A bot that calls `$deep`, which calls itself until its parameter is zero, and then answers.
fn bot(sandbox: &Sandbox, deep: &str, depth: u32) -> Compiled {
    let text = format!(
        r#"(module (memory (export "memory") 3)
            (func (export "judge_buffer") (result i32) i32.const 1024)
            (func $deep (param $left i32) (param $x f64) (result f64) {deep})
            (func (export "judge_line") (param $length i32) (result i32)
                (drop (call $deep (i32.const {depth}) (f64.const 0.5)))
                local.get $length))"#
    );
    Compiled::new(sandbox, &wat::parse_str(text).unwrap()).unwrap()
}

fn overflows(sandbox: &Sandbox, deep: &str, depth: u32) -> bool {
    let bot = bot(sandbox, deep, depth);
    let mut answer = String::new();
    match BotPlayer::new(&bot, Limits::COURSE).ask("discard?", &mut answer) {
        Ok(_) => false,
        Err(fault) => {
            assert_eq!(fault.verdict, Verdict::RuntimeError);
            assert!(fault.detail.as_str().starts_with("stack overflow"), "{fault}");
            true
        }
    }
}

/// The deepest recursion that does not overflow.
fn deepest(deep: &str) -> u32 {
    let sandbox = Sandbox::new().unwrap();
    let (mut fits, mut too_deep) = (0, 1 << 17);
    while too_deep - fits > 1 {
        let middle = u32::midpoint(fits, too_deep);
        if overflows(&sandbox, deep, middle) { too_deep = middle } else { fits = middle }
    }
    fits
}

/// The engine counts the stack from one of its own functions. The part between that and the bot's
/// first function takes some hundred bytes, which varies with the system and the build of the
/// judge. A changed frame size would show in every call.
fn is_about(depth: u32, expected: u32) -> bool {
    let calls_in_a_kib = expected / 512 + 1;
    depth.abs_diff(expected) <= calls_in_a_kib
}

const AGAIN: &str = "(call $deep (i32.sub (local.get $left) (i32.const 1)) (local.get $x))";

#[test]
fn recursion_with_two_parameters_ends_at_the_same_depth() {
    let deep = format!("(if (result f64) (local.get $left) (then {AGAIN}) (else (local.get $x)))");
    let depth = deepest(&deep);
    assert!(is_about(depth, 8180), "{depth}");
}

/// Values that outlive the call, because memory has to be read before it. Then instructions that
/// some processors lack: rounding, counting bits, vector lanes.
#[test]
fn recursion_with_live_values_ends_at_the_same_depth() {
    let kept = "(f64.nearest (f64.load (local.get $left)))
        (f64.convert_i32_s (i32.popcnt (i32.load (local.get $left))))
        (f64.convert_i32_s (i32.div_s (local.get $left) (i32.clz (i32.load8_u (local.get $left)))))
        (f64x2.extract_lane 1 (f64x2.floor (v128.load (local.get $left))))";
    let deep = format!(
        "(if (result f64) (local.get $left)
            (then {kept} {AGAIN} f64.add f64.add f64.add f64.add)
            (else (local.get $x)))"
    );
    let depth = deepest(&deep);
    assert!(is_about(depth, 5453), "{depth}");
}

#[test]
fn recursion_with_large_frames_ends_at_the_same_depth() {
    let kept: String = (1..=60)
        .map(|n| format!("(i32.shl (i32.mul (local.get $left) (i32.const {n})) (local.get $left))"))
        .collect();
    let sum = "i32.add ".repeat(60);
    let deep = format!(
        "(if (result f64) (local.get $left)
            (then {kept} {AGAIN} i32.trunc_sat_f64_s {sum} f64.convert_i32_s)
            (else (local.get $x)))"
    );
    let depth = deepest(&deep);
    assert!(is_about(depth, 1089), "{depth}");
}
