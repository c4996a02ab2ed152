//! Memory and tables: loads that hit or miss the caches, and operators of the runtime.

use crate::{PAGE, Pattern};

/// Starts at address 0.
const ZERO: &str = "(local.set $i (i32.const 0))";

/// Bytes of a cache line.
const LINE: u32 = 64;

pub(crate) fn patterns() -> Vec<Pattern> {
    [loads(), bulk(), tables()].concat()
}

fn pages(bytes: u32) -> String {
    format!(r#"(memory (export "memory") {})"#, bytes >> 16)
}

fn loads() -> Vec<Pattern> {
    let chain = format!("local.get $i {} local.set $i", "i32.load offset=256 ".repeat(64));
    let vectors = format!(
        "local.get $i {} local.set $i",
        "v128.load offset=256 i32x4.extract_lane 1 ".repeat(32)
    );
    vec![
        Pattern::new("loads, each from where the one before says", chain).after(ZERO),
        Pattern::new("v128 loads, likewise", vectors).after(ZERO),
        Pattern::repeated("loads that wait for nothing", "(drop (i32.load (local.get $k)))"),
        Pattern::repeated("loads over two cache lines", "(local.set $i (i32.load (local.get $i)))")
            .after("(local.set $i (i32.const 4094)) (i32.store (i32.const 4094) (i32.const 4094))"),
        Pattern::repeated("stores", "(i32.store (local.get $k) (local.get $i))"),
        Pattern::repeated(
            "stores over two pages",
            "(i64.store offset=4093 (local.get $k) (local.get $j))",
        ),
        Pattern::repeated(
            "a store and a load of it",
            "(i32.store offset=256 (local.get $i) (local.get $i))
             (local.set $i (i32.load offset=256 (local.get $i)))",
        )
        .after(ZERO),
        Pattern::repeated(
            "a load of two stores",
            "(i32.store8 offset=256 (local.get $i) (local.get $i))
             (local.set $i (i32.load offset=255 (local.get $i)))",
        )
        .after(ZERO),
        chase(2 << 20),
        chase(64 << 20),
        wander(2 << 20),
        wander(64 << 20),
        scatter(2 << 20),
        scatter(64 << 20),
    ]
}

/// Follows the lines of the memory in a random order: each load gives the address of the next line.
/// The order is a full cycle of a linear congruential generator over the lines.
fn chase(bytes: u32) -> Pattern {
    let lines = bytes / LINE;
    let next = format!(
        "(i32.mul (i32.and (i32.add (i32.mul (local.get $i) (i32.const 1664525))
          (i32.const 1013904223)) (i32.const {})) (i32.const {LINE}))",
        lines - 1
    );
    let fill = format!(
        "(local.set $i (i32.const {lines}))
         (loop $fill
           (local.set $i (i32.sub (local.get $i) (i32.const 1)))
           (i32.store offset=32 (i32.mul (local.get $i) (i32.const {LINE})) {next})
           (br_if $fill (local.get $i)))"
    );
    let body = format!("local.get $i {} local.set $i", "i32.load offset=32 ".repeat(64));
    Pattern::new(&format!("loads that miss, one after the other, {} MiB", bytes >> 20), body)
        .with(pages(bytes))
        .prepared(fill)
        .after(ZERO)
}

/// Loads from a computed address that depends on the loaded value.
fn wander(bytes: u32) -> Pattern {
    let step = format!(
        "(local.set $i (i32.and (i32.add (i32.mul (local.get $i) (i32.const 1664525))
          (i32.add (i32.load (local.get $i)) (i32.const 1013904223))) (i32.const {})))",
        bytes - 4
    );
    Pattern::repeated(&format!("loads that miss, address worked out, {} MiB", bytes >> 20), &step)
        .with(pages(bytes))
        .prepared(touch(bytes))
        .after(ZERO)
}

/// Writes to every page, so that the system gives them all.
fn touch(bytes: u32) -> String {
    format!("(memory.fill (i32.const 64) (i32.const 0) (i32.const {}))", bytes - 64)
}

/// Independent stores all over the memory.
fn scatter(bytes: u32) -> Pattern {
    let step = format!(
        "(local.set $i (i32.add (i32.mul (local.get $i) (i32.const 1664525)) (i32.const 1013904223)))
         (i32.store8 (i32.and (local.get $i) (i32.const {})) (local.get $i))",
        bytes - 1
    );
    Pattern::repeated(&format!("stores that miss, {} MiB", bytes >> 20), &step)
        .with(pages(bytes))
        .prepared(touch(bytes))
}

fn bulk() -> Vec<Pattern> {
    let data = format!(r#"{PAGE} (data $d "{}") (data $none "")"#, "a".repeat(60_000));
    let mut all = vec![
        Pattern::repeated("memory.size", "(drop (memory.size))"),
        Pattern::repeated("memory.grow by 0", "(drop (memory.grow (i32.const 0)))"),
        Pattern::repeated("memory.grow, refused", "(drop (memory.grow (i32.const 65535)))"),
        Pattern::repeated("data.drop", "(data.drop $none)").with(data.clone()),
        Pattern::repeated(
            "memory.init of 0 bytes",
            "(memory.init $d (i32.const 0) (i32.const 0) (i32.const 0))",
        )
        .with(data.clone()),
        Pattern::repeated(
            "memory.init of 60,000 bytes",
            "(memory.init $d (i32.const 0) (i32.const 0) (i32.const 60000))",
        )
        .with(data),
    ];
    for bytes in [0u32, 1, 300, 65_472, 2 << 20, 64 << 20] {
        let memory = pages(bytes.max(1 << 16));
        all.push(
            Pattern::repeated(
                &format!("memory.fill of {bytes} bytes"),
                &format!("(memory.fill (local.get $k) (local.get $k) (i32.const {bytes}))"),
            )
            .with(&memory),
        );
        let half = bytes / 2;
        all.push(
            Pattern::repeated(
                &format!("memory.copy of {half} bytes"),
                &format!("(memory.copy (i32.const {half}) (local.get $k) (i32.const {half}))"),
            )
            .with(&memory),
        );
    }
    all
}

fn tables() -> Vec<Pattern> {
    let elements = "$f ".repeat(10_000);
    let parts = format!(
        "{PAGE} (table $t 20000 funcref) (table $small 10 100 funcref) (func $f)
         (elem $e func {elements}) (elem $none func)"
    );
    let function = "(local.get $k) (ref.func $f)";
    let steps = [
        ("table.size", "(drop (table.size $t))".to_owned()),
        ("table.get", "(drop (table.get $t (i32.const 7)))".to_owned()),
        ("table.set", "(table.set $t (i32.const 7) (ref.null func))".to_owned()),
        ("ref.func", "(drop (ref.func $f))".to_owned()),
        ("ref.func and ref.is_null", "(local.set $i (ref.is_null (ref.func $f)))".to_owned()),
        ("table.grow by 0", "(drop (table.grow $small (ref.null func) (i32.const 0)))".to_owned()),
        (
            "table.grow, refused",
            "(drop (table.grow $small (ref.null func) (i32.const 1000)))".to_owned(),
        ),
        ("table.fill of 0", format!("(table.fill $t {function} (i32.const 0))")),
        ("table.fill of 20,000", format!("(table.fill $t {function} (i32.const 20000))")),
        (
            "table.copy of 0",
            "(table.copy $t $t (i32.const 1) (i32.const 0) (i32.const 0))".to_owned(),
        ),
        (
            "table.copy of 19,999",
            "(table.copy $t $t (i32.const 1) (i32.const 0) (i32.const 19999))".to_owned(),
        ),
        (
            "table.init of 0",
            "(table.init $t $e (i32.const 0) (i32.const 0) (i32.const 0))".to_owned(),
        ),
        (
            "table.init of 10,000",
            "(table.init $t $e (i32.const 0) (i32.const 0) (i32.const 10000))".to_owned(),
        ),
        ("elem.drop", "(elem.drop $none)".to_owned()),
    ];
    let mut all: Vec<_> = steps
        .iter()
        .map(|(name, step)| Pattern::repeated(name, step).with(parts.clone()))
        .collect();
    // The first `table.get` of an element creates it.
    all.push(
        Pattern::repeated(
            "table.get of elements not yet made",
            "(drop (table.get $t (i32.const 7)))
             (table.init $t $e (i32.const 7) (i32.const 7) (i32.const 1))",
        )
        .with(parts),
    );
    all
}
