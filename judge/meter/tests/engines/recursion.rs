//! A recursion ends at the same depth in every engine.

use judge_meter::{STACK_BYTES, heights};

use crate::compare::{Engines, Likeness};
use crate::host::{End, Scenario};
use crate::with_room;

/// Functions that call themselves, by their locals and the code that keeps values.
fn deep() -> Vec<(String, String)> {
    let locals = |count: usize| "i64 ".repeat(count);
    let sums = |count: usize| {
        let kept = "(i64.extend_i32_u (i32.load8_u (local.get 0))) ".repeat(count);
        format!(
            "{kept} (call $deep (i32.add (local.get 0) (i32.const 1))) {}",
            "i64.add ".repeat(count)
        )
    };
    vec![
        (String::new(), sums(0)),
        (locals(16), sums(0)),
        (String::new(), sums(60)),
        (locals(200), format!("(local.set 150 (i64.const 7)) {}", sums(20))),
    ]
}

/// A bot that calls a function without end, which counts its calls in the memory.
fn bot((locals, code): &(String, String)) -> Scenario {
    let text = format!(
        r#"(module (memory (export "memory") 3)
            (func (export "judge_buffer") (result i32) i32.const 1024)
            (func $deep (param i32) (result i64) (local {locals})
                (i32.store (i32.const 16) (local.get 0))
                {code})
            (func (export "judge_line") (param i32) (result i32)
                (i32.wrap_i64 (call $deep (i32.const 0)))))"#
    );
    let module = wat::parse_str(text).unwrap();
    Scenario { name: code.clone(), module, fuel: 1_000_000_000, lines: vec!["discard?".to_owned()] }
}

#[test]
fn heights_are_parameters_locals_and_operands() {
    let text = r"(module
        (func)
        (func (param i32 i64) (local f32 v128) (drop (i32.add (i32.const 1) (i32.const 2))))
        (func (param v128) (result v128) (i32x4.add (local.get 0) (local.get 0)))
        (func (result i32) (block (result i32) (i32.const 1) (br 0) (i32.const 2)) (i32.eqz)))";
    let module = wat::parse_str(text).unwrap();
    assert_eq!(heights(&module).unwrap(), [64, 64 + 24 + 16 + 16, 64 + 16 + 32, 64 + 8]);
}

#[test]
fn recursion_ends_at_the_same_depth_everywhere() {
    with_room(|| {
        let engines = Engines::new();
        for case in deep().iter().map(bot) {
            let (trace, likeness) = engines.compare(&case);
            assert_eq!(
                (&trace.end, likeness),
                (&End::Overflow, Likeness::Overflow),
                "{}",
                case.name
            );
            // The rest is too small for one more call.
            let height = heights(&case.module).unwrap()[1] as i32;
            let rest = trace.stack.unwrap();
            assert!(rest < 0 && rest >= -height, "{rest} of {height}");
            assert!(height < STACK_BYTES as i32 / 8);
        }
        engines.compare_in_v8();
    });
}
