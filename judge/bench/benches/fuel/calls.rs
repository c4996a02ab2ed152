//! Control flow: calls of few and of many functions, and unpredictable branches.

use std::fmt::Write as _;

use crate::{PAGE, Pattern};

/// Number of functions of a module with many; their names in the text allow no more.
const MANY: u32 = 9_000;

/// A pseudo-random number into `$i`.
const RANDOM: &str =
    "(local.set $i (i32.add (i32.mul (local.get $i) (i32.const 1664525)) (i32.const 1013904223)))";

pub(crate) fn patterns() -> Vec<Pattern> {
    let tiny = format!("{PAGE} (func $f)");
    let fits = "(func $down (param i32) (if (local.get 0)
        (then (call $down (i32.sub (local.get 0) (i32.const 1))))))";
    let table = format!("{PAGE} (table 1 funcref) (func $f) (elem (i32.const 0) $f)");
    let many_types = "(func $p (param i64 i64 i64 i64 i64 i64 i64 i64) (result i64 i64 i64 i64)
        (local.get 0) (local.get 1) (local.get 2) (local.get 3))";
    vec![
        Pattern::repeated("call of a function that does nothing", "(call $f)").with(tiny),
        Pattern::repeated(
            "call with 8 parameters and 4 results",
            &format!("{} (call $p) drop drop drop drop", "(local.get $j)".repeat(8)),
        )
        .with(format!("{PAGE} {many_types}")),
        Pattern::repeated("recursion, 5,000 deep", "(call $down (i32.const 5000))")
            .with(format!("{PAGE} {fits}")),
        Pattern::repeated("call_indirect of one function", "(call_indirect (local.get $k))")
            .with(table),
        in_turn("calls of 9,000 small functions in turn", ""),
        in_turn("calls of 9,000 functions of 80 bytes in turn", &padding(80)),
        chain("chain of 9,000 small functions", ""),
        chain("chain of 9,000 functions of 80 bytes", &padding(80)),
        indirect("call_indirect of 9,000 small functions at random", ""),
        indirect("call_indirect of 9,000 functions of 80 bytes at random", &padding(80)),
        Pattern::repeated(
            "br_if at random",
            &format!(
                "{RANDOM} (block (br_if 0 (i32.lt_s (local.get $i) (i32.const 0))) \
                 (global.set $g (local.get $i)))"
            ),
        ),
        branches("br_table of 8 at random", 8),
        branches("br_table of 2,000 at random", 1_999),
        Pattern::repeated("blocks and branches out of them", "(block (br 0))"),
        joins("100 variables that change places on 20 ways not taken", 100, 20),
    ]
}

/// A loop with branches that are never taken. On these, `variables` rotate, each time by one more,
/// before they join the path that is taken, at `places` places: the moves for this are on that
/// path.
fn joins(name: &str, variables: usize, places: usize) -> Pattern {
    let each = |line: &dyn Fn(usize) -> String| (0..variables).map(line).collect::<String>();
    let locals = each(&|v| format!("(local $v{v} i64)"));
    let start = each(&|v| format!("(local.set $v{v} (i64.load (i32.const {})))", 8 * (v + 1)));
    let read = each(&|v| format!("(local.get $v{})", (v + 1) % variables));
    let write = each(&|v| format!("(local.set $v{})", variables - 1 - v));
    let ways: String = (1..=places)
        .map(|place| format!("{read} {write} (br_if {place} (local.get $taken))"))
        .collect();
    let function = format!(
        "{PAGE} (func $spin (param $taken i32) {locals} {start} (loop $on {} \
           (if (local.get $taken) (then {ways})) {} (br $on)))",
        "(block ".repeat(places),
        ")".repeat(places)
    );
    Pattern::new(name, "(call $spin (local.get $k))").with(function)
}

/// Unreachable code of about `bytes` bytes.
fn padding(bytes: usize) -> String {
    format!(
        "(if (global.get $g) (then {}))",
        "(global.set $g (i32.mul (global.get $g) (global.get $g)))".repeat(bytes / 7)
    )
}

fn functions(body: impl Fn(u32) -> String) -> String {
    let mut text = PAGE.to_owned();
    for number in 0..MANY {
        // Writing to a string cannot fail.
        let _ = write!(text, "(func $f{number} {})", body(number));
    }
    text
}

/// One function that calls all others.
fn in_turn(name: &str, body: &str) -> Pattern {
    let calls: String = (0..MANY).map(|number| format!("(call $f{number})")).collect();
    Pattern::new(name, calls).with(functions(|_| body.to_owned()))
}

/// Each function calls another, in a scattered order.
fn chain(name: &str, body: &str) -> Pattern {
    let next = |number: u32| match (number + 4_241) % MANY {
        0 => body.to_owned(),
        next => format!("{body} (call $f{next})"),
    };
    Pattern::new(name, "(call $f0)").with(functions(next))
}

fn indirect(name: &str, body: &str) -> Pattern {
    let mut text = functions(|_| body.to_owned());
    let names: String = (0..MANY).map(|number| format!("$f{number} ")).collect();
    let _ = write!(text, "(table {MANY} funcref) (elem (i32.const 0) {names})");
    let step = format!(
        "{RANDOM} (call_indirect (i32.shr_u (i32.mul (i32.shr_u (local.get $i) (i32.const 16))
         (i32.const {MANY})) (i32.const 16)))"
    );
    Pattern::repeated(name, &step).with(text)
}

/// A jump to one of `count` targets with different code.
fn branches(name: &str, count: u32) -> Pattern {
    let labels: String = (0..count).map(|number| format!("{number} ")).collect();
    let mut body = "(block ".repeat(count as usize);
    let _ = write!(
        body,
        "{RANDOM} (br_table {labels} (i32.shr_u (i32.mul (i32.shr_u (local.get $i) (i32.const 16))
         (i32.const {count})) (i32.const 16)))"
    );
    for number in 0..count {
        let _ = write!(body, ") (global.set $g (i32.const {number})) (br $again)");
    }
    Pattern::new(name, body)
}
