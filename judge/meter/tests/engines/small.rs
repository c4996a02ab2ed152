//! Small modules with every budget: the place where fuel ends, and the operators around it.

use judge_meter::{MeterError, rewrite};

use crate::compare::{Engines, Likeness};
use crate::host::Scenario;
use crate::with_room;

/// A bot with this code for a line and this text around it.
fn bot(around: &str, code: &str) -> Vec<u8> {
    let text = format!(
        r#"(module {around} (memory (export "memory") 1 4)
            (func (export "judge_buffer") (result i32) i32.const 1024)
            (func (export "judge_line") (param $length i32) (result i32) (local i32)
                {code} (i32.const 1)))"#
    );
    wat::parse_str(text).unwrap()
}

/// Code with a bulk operator that may need a check, by the origin of its length.
const BULK: [&str; 6] = [
    "(memory.fill (i32.const 0) (i32.const 1) (i32.const 100))",
    "(memory.fill (i32.const 0) (i32.const 1) (i32.const 5000))",
    "(memory.copy (i32.const 0) (i32.const 9) (i32.load (i32.const 40)))",
    "(local.set 1 (i32.const 77)) (memory.fill (i32.const 0) (i32.const 1) (local.get 1))",
    "(memory.fill (i32.const 0) (i32.const 1) (local.get $length))",
    "(drop (memory.grow (local.get 1)))",
];

fn case(name: &str, module: &[u8], fuel: u64) -> Scenario {
    let lines = ["first", "second", "third"].map(str::to_owned).to_vec();
    Scenario { name: format!("{name}, {fuel} fuel"), module: module.to_vec(), fuel, lines }
}

/// The grace hides the end of the fuel from small budgets, so these need all of it.
const GRACE: u64 = (1 << 23) + 32 * 65_536;

#[test]
fn fuel_ends_at_the_same_place() {
    with_room(|| {
        let engines = Engines::new();
        let burn = "(local.set 1 (i32.const 1200)) (loop
            (i32.store (i32.const 8) (local.get 1))
            (br_if 0 (local.tee 1 (i32.sub (local.get 1) (i32.const 1)))))";
        for code in BULK {
            let module =
                bot("", &format!("{burn} {code} (i32.store (i32.const 12) (i32.const 3))"));
            for fuel in (4_000..40_000).step_by(997) {
                engines.compare(&case(code, &module, fuel));
            }
        }
        engines.compare_in_v8();
    });
}

#[test]
fn endless_code_ends_at_the_same_place() {
    with_room(|| {
        let engines = Engines::new();
        let code = "(loop (i32.store (i32.const 8) (local.tee 1 (i32.add (local.get 1)
            (i32.const 1)))) (memory.fill (i32.const 64) (local.get 1) (i32.load8_u (i32.const 8)))
            (br 0))";
        let module = bot("", code);
        for fuel in [0, 1, 77, 4096, 4097, GRACE] {
            let (_, likeness) = engines.compare(&case("endless", &module, fuel));
            assert_eq!(likeness, Likeness::OutOfFuel);
        }
        engines.compare_in_v8();
    });
}

/// Long but finite, so that a missing check fails the test and does not hang it.
#[test]
fn loops_and_function_entries_check_the_fuel() {
    with_room(|| {
        let engines = Engines::new();
        let tree = "(func $tree (param i32) (result i32)
            (if (result i32) (local.get 0)
                (then (i32.add (call $tree (i32.sub (local.get 0) (i32.const 1)))
                    (call $tree (i32.sub (local.get 0) (i32.const 1)))))
                (else (i32.const 1))))";
        for (around, code) in [
            (
                "",
                "(loop (local.set 1 (i32.add (local.get 1) (i32.const 1)))
                (br_if 0 (i32.lt_u (local.get 1) (i32.const 20000000))))",
            ),
            (tree, "(i32.store (i32.const 8) (call $tree (i32.const 21)))"),
        ] {
            let (_, likeness) = engines.compare(&case(code, &bot(around, code), 0));
            assert_eq!(likeness, Likeness::OutOfFuel, "{code}");
        }
        engines.compare_in_v8();
    });
}

#[test]
fn lengths_outside_the_memory_are_traps_and_not_timeouts() {
    with_room(|| {
        let engines = Engines::new();
        for (around, code) in [
            ("", "(memory.fill (i32.const 0) (i32.const 1) (i32.sub (local.get 1) (i32.const 1)))"),
            ("", "(memory.copy (i32.const 0) (i32.const 1) (i32.const -1))"),
            ("(table 9 funcref)", "(table.copy (i32.const 0) (i32.const 1) (i32.const 1000000))"),
            ("(table 9 funcref)", "(call_indirect (i32.const 9))"),
            ("(table 9 funcref)", "(call_indirect (i32.const 3))"),
        ] {
            for fuel in [0, 4_000, 5_000_000] {
                let (_, likeness) = engines.compare(&case(code, &bot(around, code), fuel));
                assert_eq!(likeness, Likeness::Trap, "{code}");
            }
        }
        engines.compare_in_v8();
    });
}

#[test]
fn a_trap_after_an_optional_check_is_uncertain() {
    with_room(|| {
        let engines = Engines::new();
        let code = "(drop (i64.div_s (i64.const 1) (i64.const 1)))".repeat(600);
        for (length, expected) in [
            ("(local.get 1)", Likeness::InDoubt),
            ("(i32.load (i32.const 40))", Likeness::OutOfFuel),
            ("(i32.const 5)", Likeness::Trap),
        ] {
            let code =
                format!("{code} (memory.fill (i32.const 0) (i32.const 1) {length}) unreachable");
            let (_, likeness) = engines.compare(&case(length, &bot("", &code), 0));
            assert_eq!(likeness, expected, "{length}");
        }
        engines.compare_in_v8();
    });
}

#[test]
fn table_operators_cost_by_their_length() {
    with_room(|| {
        let engines = Engines::new();
        let around = "(table 9 funcref) (elem $some func 0 0 0 0 0 0)";
        for code in [
            "(table.copy (i32.const 0) (i32.const 1) (local.get $length))",
            "(table.copy (i32.const 0) (i32.const 1) (i32.add (local.get $length) (i32.const 1)))",
            "(table.fill (i32.const 0) (ref.null func) (local.get $length))",
            "(table.init $some (i32.const 0) (i32.const 0) (local.get $length))",
            "(table.copy (i32.const 0) (i32.const 1) (i32.const 6))",
        ] {
            let (_, likeness) = engines.compare(&case(code, &bot(around, code), 10_000_000));
            assert_eq!(likeness, Likeness::Finished, "{code}");
        }
        engines.compare_in_v8();
    });
}

#[test]
fn growth_is_limited_equally_on_both_engines() {
    with_room(|| {
        let engines = Engines::new();
        let around = "(table 9 40 funcref)";
        let code = "(drop (memory.grow (i32.const 1))) (drop (memory.grow (local.get $length)))
            (drop (memory.grow (i32.const -1))) (drop (table.grow (ref.null func) (i32.const 20)))
            (drop (table.grow (ref.null func) (i32.const 20)))
            (drop (table.grow (ref.null func) (i32.const -1)))
            (i32.store (i32.const 4) (table.size)) (i32.store (i32.const 8) (memory.size))";
        let (trace, likeness) = engines.compare(&case("growth", &bot(around, code), 10_000_000));
        assert!(likeness == Likeness::Finished && trace.refused);
        engines.compare_in_v8();
    });
}

#[test]
fn nan_bits_are_canonical() {
    with_room(|| {
        let engines = Engines::new();
        let code = "(f32.store (i32.const 0) (f32.add (f32.const nan:0x200001) (f32.const 1)))
            (f64.store (i32.const 8) (f64.sqrt (f64.const -1)))
            (f64.store (i32.const 16) (f64.promote_f32 (f32.const -nan:0x1)))
            (f32.store (i32.const 24) (f32.copysign (f32.const nan:0x5) (f32.const -1)))
            (v128.store (i32.const 32) (f32x4.mul (v128.const f32x4 nan:0x1 1 -nan 2)
                (v128.const f32x4 1 2 3 inf)))
            (v128.store (i32.const 48) (f64x2.promote_low_f32x4 (v128.const f32x4 nan:0x1 1 0 0)))
            (v128.store (i32.const 64) (f32x4.demote_f64x2_zero (v128.const f64x2 nan:0x1 1)))
            (v128.store (i32.const 80) (f64x2.max (v128.const f64x2 -nan:0x1 1)
                (v128.const f64x2 1 0)))";
        let (_, likeness) = engines.compare(&case("floats", &bot("", code), 10_000_000));
        assert_eq!(likeness, Likeness::Finished);
        engines.compare_in_v8();
    });
}

#[test]
fn several_results_and_returns_are_preserved() {
    with_room(|| {
        let engines = Engines::new();
        let around = "(func $two (param i32) (result i32 f64)
                (if (local.get 0) (then (return (i32.const 5) (f64.const 2))))
                (block (loop (br_if 2 (i32.const 6) (f64.const 3) (local.get 0)) (drop) (drop)
                    (br 1)))
                (i32.const 7) (f64.const 4))";
        let code = "(call $two (local.get $length)) (f64.store offset=8 (i32.const 0)) drop
            (call $two (i32.const 0)) (f64.store offset=16 (i32.const 0)) drop";
        let code = code.replace("(f64.store offset=8 (i32.const 0))", "drop");
        let code = code.replace("(f64.store offset=16 (i32.const 0))", "drop");
        let (_, likeness) = engines.compare(&case("results", &bot(around, &code), 10_000_000));
        assert_eq!(likeness, Likeness::Finished);
        engines.compare_in_v8();
    });
}

#[test]
fn modules_that_cannot_be_limited_are_refused() {
    let refused = |text: &str| rewrite(&wat::parse_str(text).unwrap()).unwrap_err();
    let memory = refused(r#"(module (import "a" "b" (memory 1)))"#);
    assert!(matches!(memory, MeterError::Import { .. }), "{memory}");
    let reserved = refused(r#"(module (func (export "judge_meter_fuel")))"#);
    assert!(matches!(reserved, MeterError::Reserved(_)), "{reserved}");
    let features = refused("(module (memory 1) (memory 1))");
    assert!(matches!(features, MeterError::Invalid(_)), "{features}");
}
