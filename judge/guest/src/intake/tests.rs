//! Tests of each reason for a refusal, and of its wording.

use judge_core::Limits;

use super::*;

/// A module with everything that a bot needs, and `extra`.
fn bot(extra: &str) -> Vec<u8> {
    wat(&format!(
        r#"(module {extra}
            (memory (export "memory") 1)
            (func (export "judge_buffer") (result i32) i32.const 0)
            (func (export "judge_line") (param i32) (result i32) i32.const 0))"#
    ))
}

fn wat(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap()
}

fn refusal(bytes: &[u8]) -> String {
    inspect(bytes).unwrap_err().to_string()
}

#[test]
fn a_small_bot_passes() {
    let info = inspect(&bot("")).unwrap();
    assert_eq!(info.initial_bytes, 65_536);
    assert_eq!(info.manifest, Manifest::default());
}

#[test]
fn the_log_is_the_only_import() {
    assert!(inspect(&bot(r#"(import "judge" "log" (func (param i32 i32)))"#)).is_ok());
    let wrong_type = bot(r#"(import "judge" "log" (func (param i32)))"#);
    let text = refusal(&wrong_type);
    assert!(text.starts_with("imports of the wrong type: `judge.log`\n"));
    let wasi = bot(r#"(import "wasi_snapshot_preview1" "fd_write" (func))
                      (import "env" "exit" (func))"#);
    let text = refusal(&wasi);
    assert!(text.contains("`wasi_snapshot_preview1.fd_write`, `env.exit`"), "{text}");
}

#[test]
fn many_forbidden_imports_are_counted() {
    let imports: String = (0..20).map(|i| format!(r#"(import "env" "f{i}" (func))"#)).collect();
    assert!(refusal(&bot(&imports)).contains("`env.f7` and 12 more"));
}

#[test]
fn an_imported_memory_is_refused() {
    let module = wat(r#"(module (import "env" "memory" (memory 1)) (export "memory" (memory 0))
        (func (export "judge_buffer") (result i32) i32.const 0)
        (func (export "judge_line") (param i32) (result i32) i32.const 0))"#);
    assert!(refusal(&module).contains("`env.memory`"));
}

#[test]
fn missing_and_mistyped_exports_are_listed() {
    let module = wat(r#"(module (func (export "judge_line") (result i32) i32.const 0))"#);
    assert_eq!(
        refusal(&module).lines().next().unwrap(),
        "missing exports: `memory`, a memory; `judge_buffer`, a function `() -> i32`; \
         `judge_line` as a function `(i32) -> i32` (it is a function `() -> i32`)"
    );
    let initialize = bot(r#"(func (export "_initialize") (param i32))"#);
    assert!(refusal(&initialize).contains("(it is a function `(i32) -> ()`)"));
    let global = bot(r#"(global (export "_initialize") i32 (i32.const 0))"#);
    assert!(refusal(&global).contains("`() -> ()` (it is a global variable)"));
    let many = "i64 ".repeat(9);
    let many = bot(&format!(r#"(func (export "_initialize") (param {many}))"#));
    assert!(refusal(&many).contains("i64, i64, …) -> ()`"));
}

#[test]
fn other_files_are_refused_with_their_type() {
    let cases: [(&[u8], &str); 8] = [
        (b"", "the file is empty"),
        (b"\x7fELF\x02\x01\x01", "looks like a native Linux program or library (ELF)"),
        (b"PK\x03\x04rest", "looks like a zip archive"),
        (b"#include <iostream>\nint main() {}\n", "looks like a text file"),
        (b"(module)", "looks like WebAssembly text"),
        (b"\0\x01\x02\x03", "looks like another kind of file"),
        (b"\0asm\x0d\0\x01\0", "a WebAssembly component, not a core module"),
        (b"\0asm\x02\0\0\0", "unknown version of the binary format"),
    ];
    for (bytes, expected) in cases {
        let text = refusal(bytes);
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("\nhint: "), "{text}");
    }
}

#[test]
fn a_truncated_module_is_refused_at_every_length() {
    let module = bot("");
    for length in 0..module.len() {
        assert!(inspect(&module[..length]).is_err(), "a prefix of {length} bytes passed");
    }
}

#[test]
fn disabled_features_are_refused() {
    let modules = [
        ("threads", r#"(module (memory 1 2 shared))"#),
        ("memory64", r#"(module (memory i64 1))"#),
        ("two memories", r#"(module (memory 1) (memory 1))"#),
        ("exceptions", r#"(module (tag (param i32)))"#),
        ("tail calls", r#"(module (func return_call 0))"#),
        ("GC", r#"(module (type (struct)))"#),
        ("externref", r#"(module (table 1 externref))"#),
        (
            "relaxed SIMD",
            r#"(module (func (param v128 v128) (result v128)
                local.get 0 local.get 1 i8x16.relaxed_swizzle))"#,
        ),
    ];
    for (name, text) in modules {
        let text = refusal(&wat(text));
        assert!(text.starts_with("not a valid module"), "{name}: {text}");
    }
}

#[test]
fn sections_of_a_module_have_size_limits() {
    let padding = format!(r#"(data (i32.const 0) "{}")"#, "x".repeat(MAX_MODULE_BYTES));
    assert!(refusal(&bot(&padding)).contains("at most 4194304 are allowed"));

    let functions = "(func)".repeat(MAX_FUNCTIONS as usize + 1);
    assert!(refusal(&bot(&functions)).contains("10003 functions; at most 10000 are allowed"));

    let globals = "(global i32 (i32.const 0))".repeat(MAX_GLOBALS as usize + 1);
    assert!(refusal(&bot(&globals)).contains("10001 global variables"));

    assert!(refusal(&bot("(table 20001 funcref)")).contains("20001 table elements"));
    assert!(refusal(&bot(&"(table 1 funcref)".repeat(5))).contains("5 tables"));

    let locals = format!("(func (local{}))", " i32".repeat(MAX_LOCALS as usize + 1));
    assert!(refusal(&bot(&locals)).contains("5001 local variables"));

    let body = format!("(func{})", " nop".repeat(MAX_BODY_BYTES));
    assert!(refusal(&bot(&body)).contains("function 0 has a body of"));
}

#[test]
fn only_memory_counts_against_the_cap() {
    let info = inspect(&bot("(table 1000 funcref)")).unwrap();
    assert_eq!(info.initial_bytes, 65_536);
    let exact = Limits { memory_bytes: 65_536, ..Limits::COURSE };
    assert!(info.check_limits(&exact).is_ok());
    let tight = Limits { memory_bytes: 65_535, ..Limits::COURSE };
    let refusal = info.check_limits(&tight).unwrap_err().to_string();
    assert!(
        refusal.starts_with("starts with 64 KiB of memory; this testcase allows 63 KiB\nhint: "),
        "{refusal}"
    );
}

#[test]
fn the_manifest_is_found() {
    let section = r#"(@custom "judge" "{\"name\":\"Bert\",\"games\":[\"mahjong\"]}")"#;
    let manifest = inspect(&bot(section)).unwrap().manifest;
    assert_eq!(manifest.name.as_deref(), Some("Bert"));
    assert_eq!(manifest.games, ["mahjong"]);
}

#[test]
fn features_that_slow_down_compiling_are_limited() {
    let nested = |count: usize, open: &str| {
        bot(&format!("(func {}{})", open.repeat(count), ")".repeat(count)))
    };
    let (loops, blocks) = (MAX_LOOP_NESTING as usize, MAX_NESTING as usize);
    assert!(inspect(&nested(loops, "(loop ")).is_ok());
    assert!(refusal(&nested(loops + 1, "(loop ")).contains("65 loops inside one another"));
    assert!(inspect(&nested(blocks - 1, "(block ")).is_ok());
    assert!(refusal(&nested(blocks + 1, "(block ")).contains("2001 blocks inside one another"));

    let beside = format!("(func (local{}){})", " i32".repeat(5000), "(loop)".repeat(201));
    assert!(refusal(&bot(&beside)).contains("1005000 loops times local variables"));
}

#[test]
fn many_functions_together_have_the_limit_of_one() {
    let blocks = format!("(func (local{}){})", " i32".repeat(500), "(block)".repeat(1000));
    assert!(inspect(&bot(&blocks.repeat(5))).is_ok());
    let refused = refusal(&bot(&blocks.repeat(6)));
    assert!(refused.contains("3000000 branches times local variables"), "{refused}");
    // Parameters count as variables.
    let parameters = format!("(func (param{}){})", " i32".repeat(250), "(block)".repeat(2000));
    let refused = refusal(&bot(&parameters.repeat(6)));
    assert!(refused.contains("3000000 branches times local variables"), "{refused}");

    let large = |count: usize| {
        let function = format!("(func{})", " nop".repeat(120 << 10));
        bot(&function.repeat(count))
    };
    assert!(inspect(&large(10)).is_ok());
    let refused = refusal(&large(11));
    assert!(refused.contains("square KiB of functions"), "{refused}");
    let small = |count: usize| bot(&format!("(func{})", " nop".repeat(1021)).repeat(count));
    assert!(inspect(&small(2040)).is_ok());
    let refused = refusal(&small(2056));
    assert!(refused.contains("KiB of functions; at most 2048"), "{refused}");
}

/// Functions with a loop in which `variables` variables swap places, before `joins` joins.
fn joined(functions: usize, variables: usize, joins: usize) -> Vec<u8> {
    let next: String =
        (0..variables).map(|v| format!("(local.get {})", (v + 1) % variables)).collect();
    let set: String = (0..variables).rev().map(|v| format!("(local.set {v})")).collect();
    let ends = "(br_if 0 (local.get 0)) end ".repeat(joins - 1);
    let function = format!(
        "(func (local{}) loop {} {next} {set} {ends} (br_if 0 (local.get 0)) end)",
        " i32".repeat(variables),
        "block ".repeat(joins - 1)
    );
    bot(&function.repeat(functions))
}

#[test]
fn joins_are_weighted_by_their_live_variables() {
    let work = |module: &[u8]| tally(module).unwrap().seen(Limit::Joins);
    // Two paths lead to each join, and there are twice as many pieces as joins.
    assert_eq!(work(&joined(1, 200, 100)), 2 * 200 * 100 * 2 * 200 * 100 / 1_000_000);
    assert_eq!(work(&joined(4, 200, 100)), 4 * work(&joined(1, 200, 100)));
    let refused = refusal(&joined(1, 200, 800));
    assert!(refused.contains("million products of variables that meet"), "{refused}");
    assert!(refused.contains("; at most 18000 are allowed"), "{refused}");
    assert!(refused.contains("hint: split the largest functions"), "{refused}");
}

/// Weight of a module with `bodies` functions of this body.
fn weighs(bodies: usize, body: &str) -> u64 {
    let module = bot(&format!("(func{body})").repeat(bodies));
    tally(&module).unwrap().seen(Limit::WeightKib)
}

#[test]
fn operators_are_weighted_by_their_compile_time() {
    let plain = weighs(100, &" (drop (i32.add (i32.const 1) (i32.const 1)))".repeat(1000));
    assert!((500..800).contains(&plain), "{plain}");
    // Each operator with its weight.
    let heavier = [
        ("(drop (i32.rotl (i32.const 1) (i32.const 1)))", 66),
        ("(drop (f64.sqrt (f64.const 1)))", 8),
        ("(drop (f64.add (f64.const 1) (f64.const 1)))", 5),
        ("(drop (i64.trunc_sat_f64_u (f64.const 1)))", 18),
        ("(drop (i32.div_s (i32.const 1) (i32.const 1)))", 8),
        ("(table.copy (i32.const 1) (i32.const 1) (i32.const 1))", 256),
        ("(drop (call_indirect (result i32) (i32.const 0)))", 64),
        ("(memory.fill (i32.const 1) (i32.const 1) (i32.const 1))", 48),
        ("(drop (i8x16.popcnt (v128.load (i32.const 1))))", 12),
        ("(drop (f64x2.max (v128.load (i32.const 1)) (v128.load (i32.const 1))))", 12),
        ("(drop (i32x4.trunc_sat_f32x4_u (v128.load (i32.const 1))))", 12),
        ("(br_if 0 (i32.const 1))", 16),
    ];
    for (text, more) in heavier {
        let module = format!("(table 1 funcref) (func {})", text.repeat(100));
        let seen = tally(&bot(&module)).unwrap().seen(Limit::WeightKib);
        assert!((more * 100) >> 10 <= seen && seen < 32, "{text}: {seen} KiB");
    }
}

#[test]
fn the_weight_of_one_function_is_limited() {
    let chain =
        |count: usize| bot(&format!("(func f64.const 1 {} drop)", " f64.sqrt".repeat(count)));
    assert!(inspect(&chain(40_000)).is_ok());
    for count in [50_000, 127_000] {
        let refused = refusal(&chain(count));
        assert!(refused.contains("KiB in one function, with operators weighted"), "{refused}");
        assert!(refused.contains("; at most 384 are allowed\nhint: "), "{refused}");
    }
    let rotations = |count: usize| {
        let step = " local.get 0 i32.rotl".repeat(count);
        bot(&format!("(func (param i32) local.get 0 {step} drop)"))
    };
    assert!(inspect(&rotations(5_500)).is_ok());
    assert!(refusal(&rotations(5_900)).contains("KiB in one function"));
}

#[test]
fn the_total_weight_of_functions_is_limited() {
    let chains = |operator: &str, start: &str, count: usize| {
        let chain = format!(" {operator}").repeat(500);
        bot(&format!("(func {start} {chain} drop)").repeat(count))
    };
    let cases = [
        ("f64.nearest", "f64.const 1", 1100, 1250),
        ("i32.clz", "i32.const 1", 2000, 2200),
        ("i8x16.popcnt", "v128.const i64x2 1 1", 680, 770),
        ("i32x4.trunc_sat_f32x4_u", "v128.const i64x2 1 1", 600, 770),
    ];
    for (operator, start, taken, refused) in cases {
        let module = chains(operator, start, taken);
        assert!(inspect(&module).is_ok(), "{operator}: {}", refusal(&module));
        let text = refusal(&chains(operator, start, refused));
        assert!(text.contains("KiB of functions, with operators weighted"), "{operator}: {text}");
    }
    // Calls weigh by the number of values that they pass.
    let calls = |values: usize, count: usize| {
        let values = " i64".repeat(values);
        let callee = format!("(func $callee (param{values}) (result{values}) unreachable)");
        let body = format!("(func unreachable{} unreachable)", " call $callee".repeat(500));
        bot(&format!("{callee}{}", body.repeat(count)))
    };
    assert!(inspect(&calls(0, 1000)).is_ok());
    assert!(inspect(&calls(8, 200)).is_ok());
    assert!(refusal(&calls(8, 300)).contains("KiB of functions, with operators weighted"));
}

#[test]
fn idle_local_variables_count_by_their_size() {
    let idle = |kind: &str, functions: usize| {
        bot(&format!("(func (local{}))", format!(" {kind}").repeat(5000)).repeat(functions))
    };
    for (kind, bytes) in
        [("i32", 4), ("f32", 4), ("i64", 8), ("f64", 8), ("funcref", 8), ("v128", 16)]
    {
        let most = (8193 << 10) / (5000 * bytes);
        assert!(inspect(&idle(kind, most)).is_ok(), "{kind}");
        let text = refusal(&idle(kind, most + 1));
        assert!(
            text.contains("KiB of local variables in all functions together"),
            "{kind}: {text}"
        );
    }
}

#[test]
fn empty_segments_are_counted() {
    let most = MAX_DATA_SEGMENTS as usize;
    for segment in ["(data (i32.const 8) \"x\")", "(data (i32.const 0) \"\")", "(data \"\")"] {
        assert!(inspect(&bot(&segment.repeat(most))).is_ok(), "{segment}");
        let text = refusal(&bot(&segment.repeat(most + 1)));
        assert!(text.starts_with("the module has 36001 data segments; at most 36000"), "{text}");
        assert!(text.contains("\nhint: link constants into a few large segments"), "{text}");
    }
    let most = MAX_ELEMENT_SEGMENTS as usize;
    for segment in ["(elem (table 0) (i32.const 0) func)", "(elem func)", "(elem declare func)"] {
        let elements = |count: usize| bot(&format!("(table 1 funcref){}", segment.repeat(count)));
        assert!(inspect(&elements(most)).is_ok(), "{segment}");
        let text = refusal(&elements(most + 1));
        assert!(text.starts_with("the module has 1001 segments of table elements"), "{text}");
    }
}

#[test]
fn segments_and_functions_share_memory_and_work() {
    // An operator refers to one of the segments, so they are not joined.
    let segments = |count: usize| {
        format!("(func (data.drop 0)) {}", "(data (i32.const 0) \"\")".repeat(count))
    };
    let chain = format!("(func f64.const 1 {} drop)", " f64.sqrt".repeat(35_000));
    let popcnt =
        format!("(func v128.const i64x2 1 1 {} drop)", " i8x16.popcnt".repeat(500)).repeat(300);
    assert!(inspect(&bot(&format!("{chain}{}", segments(9_000)))).is_ok());
    assert!(inspect(&bot(&format!("{chain}{popcnt}"))).is_ok());
    let together = refusal(&bot(&format!("{chain}{popcnt}{}", segments(9_000))));
    assert!(
        together.contains("MiB of memory to compile, by an estimate; at most 300"),
        "{together}"
    );
    let light = format!("(func i32.const 1 {} drop)", " i32.clz".repeat(500)).repeat(2000);
    assert!(inspect(&bot(&light)).is_ok());
    let together = refusal(&bot(&format!("{light}{}", segments(8_000))));
    assert!(together.contains("KiB of functions and data segments"), "{together}");
    let alone = refusal(&bot(&segments(20_000)));
    assert!(alone.contains("MiB of memory to compile"), "{alone}");
}

#[test]
fn every_limit_has_its_own_message() {
    let words: std::collections::BTreeSet<&str> =
        Limit::ALL.iter().map(|limit| limit.what()).collect();
    assert_eq!(words.len(), Limit::ALL.len());
}

/// An operator of an enabled proposal must not weigh nothing by oversight. Only plain integer
/// arithmetic, variables, loads and stores may be missing from the table.
#[test]
fn operators_without_weight_are_named() {
    let weightless = |name: &str| {
        let plain = ["Nop", "End", "Drop", "Select", "Const", "Local", "Load", "Store", "Data"];
        plain.iter().any(|part| name.contains(part))
            || ["I32", "I64"].iter().any(|kind| {
                let rest = name.strip_prefix(kind).unwrap_or_default();
                ["Add", "Sub", "Mul", "And", "Xor", "Shl", "ShrS", "ShrU"].contains(&rest)
                    || ["Eq", "Ne", "Lt", "Gt", "Le", "Ge"].iter().any(|compare| {
                        let sign = rest.strip_prefix(compare);
                        sign.is_some_and(|sign| ["", "S", "U"].contains(&sign))
                    })
            })
    };
    let table = include_str!("weights.rs");
    let table: std::collections::BTreeSet<&str> =
        table.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    macro_rules! names {
        ($(@$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident ($($ann:tt)*))*) => {
            [$((stringify!($proposal), stringify!($op))),*]
        };
    }
    let on = ["mvp", "sign_extension", "saturating_float_to_int", "bulk_memory", "reference_types"];
    let missing: Vec<&str> = wasmparser::for_each_operator!(names)
        .into_iter()
        .filter(|(proposal, name)| on.contains(proposal) && !weightless(name))
        .map(|(_, name)| name)
        .filter(|name| !table.contains(name))
        .collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn jump_tables_are_weighted_by_their_entries() {
    let branches = format!("(func{})", "(block (br 0))".repeat(3_000));
    assert!(inspect(&bot(&branches.repeat(30))).is_ok());
    assert!(refusal(&bot(&branches.repeat(40))).contains("square KiB of functions"));
    // The entries count even though all lead to one place.
    let table = |entries: usize| {
        let places = " 0".repeat(entries);
        bot(&format!("(func (param i32) (block local.get 0 br_table {places}))"))
    };
    assert!(inspect(&table(22_000)).is_ok());
    assert!(refusal(&table(24_000)).contains("KiB in one function"), "{}", refusal(&table(24_000)));
}

#[test]
fn values_moved_without_fuel_are_limited() {
    let values = " i32".repeat(9);
    let results = bot(&format!("(type (func (result{values})))"));
    assert!(refusal(&results).contains("9 results of a function; at most 8"));
    let parameters = bot(&format!("(type (func (param{})))", " i32".repeat(257)));
    assert!(refusal(&parameters).contains("257 parameters of a function"));
    let block =
        bot(&format!("(func (param{values}) unreachable (loop (param{values}) unreachable))"));
    assert!(refusal(&block).contains("9 values into or out of a block"), "{}", refusal(&block));
}

#[test]
fn names_in_refusals_are_escaped() {
    let text = "(func (export \"\\1b[31m\")) (func (export \"\\1b[31m\"))";
    // The assembler refuses duplicate exports, so the test changes one name in the bytes.
    let mut bytes = bot(&text.replacen("31m", "32m", 1));
    let at = bytes.windows(5).position(|part| part == b"\x1b[32m").unwrap();
    bytes[at + 3] = b'1';
    let refusal = refusal(&bytes);
    assert!(refusal.contains("duplicate export") && !refusal.contains('\u{1b}'), "{refusal}");
}

/// A program on stdio with these imports.
fn program(imports: &str) -> Vec<u8> {
    wat(&format!(r#"(module {imports} (memory (export "memory") 1) (func (export "_start")))"#))
}

fn wasi(name: &str, signature: &str) -> String {
    format!(r#"(import "wasi_snapshot_preview1" "{name}" (func {signature}))"#)
}

#[test]
fn a_program_is_known_by_its_start() {
    assert_eq!(inspect(&program("")).unwrap().transport, Transport::Stdio);
    assert_eq!(inspect(&bot("")).unwrap().transport, Transport::Exports);
    let both = bot(r#"(func (export "_start"))"#);
    assert_eq!(inspect(&both).unwrap().transport, Transport::Exports);
    let argument =
        wat(r#"(module (memory (export "memory") 1) (func (export "_start") (param i32)))"#);
    let text = refusal(&argument);
    assert!(
        text.contains("`_start` as a function `() -> ()` (it is a function `(i32) -> ()`)"),
        "{text}"
    );
    assert!(text.contains("an ordinary program with a `main`"), "{text}");
    let no_memory = wat(r#"(module (func (export "_start")))"#);
    assert!(refusal(&no_memory).starts_with("missing exports: `memory`, a memory\n"));
}

#[test]
fn a_program_may_import_only_preview_1() {
    let write = wasi("fd_write", "(param i32 i32 i32 i32) (result i32)");
    assert!(inspect(&program(&write)).is_ok());
    let cases = [
        (wasi("sock_open", "(param i32 i32 i32) (result i32)"), "sock_open"),
        (r#"(import "env" "getpid" (func))"#.to_owned(), "env.getpid"),
        (r#"(import "judge" "log" (func (param i32 i32)))"#.to_owned(), "judge.log"),
    ];
    for (import, name) in cases {
        let text = refusal(&program(&import));
        assert!(text.starts_with("unsupported imports: `"), "{text}");
        assert!(text.contains(name) && text.contains("hint: a program with `_start`"), "{text}");
    }
    let mistyped = [
        (wasi("fd_write", "(param i32 i32 i32 i64) (result i32)"), "fd_write"),
        (wasi("proc_exit", "(param i32) (result i32)"), "proc_exit"),
        (
            r#"(import "wasi_snapshot_preview1" "sched_yield" (global i32))"#.to_owned(),
            "sched_yield",
        ),
    ];
    for (import, name) in mistyped {
        let text = refusal(&program(&import));
        let start = "imports of the wrong type: `wasi_snapshot_preview1.";
        assert!(text.starts_with(&format!("{start}{name}`\nhint: declare it")), "{text}");
    }
    let often = refusal(&program(&write.repeat(47)));
    assert!(often.starts_with("the module has 47 imports; at most 46"), "{often}");
}

#[test]
fn a_module_without_a_transport_gets_a_hint_for_both() {
    let text = refusal(&wat(&format!(
        r#"(module {} (memory (export "memory") 1) (func (export "main")))"#,
        wasi("fd_write", "(param i32 i32 i32 i32) (result i32)")
    )));
    assert_eq!(
        text,
        "missing exports: `judge_buffer`, a function `() -> i32`; `judge_line`, a function \
         `(i32) -> i32`\n\
         hint: build with a kit from `sdk/`, or link with \
         `-Wl,--export=judge_buffer,--export=judge_line`; or build a program that reads lines and \
         prints lines, with a `main`, for `wasm32-wasip1`: it exports `_start` (the memory is \
         exported by default)"
    );
}

#[test]
fn memory_and_tables_at_the_start_are_limited() {
    let passive = |count: usize| bot(&format!("(elem func{})", " 0".repeat(count)));
    assert!(inspect(&passive(MAX_ELEMENTS as usize)).is_ok());
    let refused = refusal(&passive(MAX_ELEMENTS as usize + 1));
    assert!(refused.contains("40001 elements in all segments"), "{refused}");

    let sum = "i32.const 0 i32.const 0 i32.add";
    let computed = |count: usize| bot(&format!("(data (offset {sum}) \"\")").repeat(count));
    assert!(inspect(&computed(500)).is_ok());
    assert!(
        refusal(&computed(501)).contains("1002 operators beyond one in initial values and offsets")
    );
    let elements = format!("(table 1 funcref) {}", format!("(elem (offset {sum}))").repeat(501));
    assert!(refusal(&bot(&elements)).contains("1002 operators"), "{}", refusal(&bot(&elements)));
    let global = format!("(global i32 i32.const 1{})", " i32.const 1 i32.add".repeat(501));
    assert!(refusal(&bot(&global)).contains("1002 operators"), "{}", refusal(&bot(&global)));
    // A toolchain writes thousands of these.
    assert!(inspect(&bot(&"(data (i32.const 8) \"x\")".repeat(30_000))).is_ok());

    let exports: String = (0..=MAX_EXPORTS).map(|n| format!("(export \"{n}\" (func 0))")).collect();
    assert!(refusal(&bot(&exports)).contains("exports; at most 100000"));

    let wide = format!("(func (param{}))", " i32".repeat(250));
    assert!(inspect(&bot(&wide.repeat(799))).is_ok());
    let refused = refusal(&bot(&wide.repeat(801)));
    assert!(refused.contains("200253 parameters and results of all functions"), "{refused}");
}

#[test]
fn operators_that_become_several_blocks_count_as_branches() {
    let module = |operator: &str, count: usize| {
        let locals = "i32 ".repeat(4400);
        bot(&format!(
            "(type $t (func)) (table 100 funcref) (elem func 0) (data \"\")
             (func (local {locals}) {})",
            operator.repeat(count)
        ))
    };
    let zero = "(i32.const 0)";
    let cases = [
        (format!("(drop (memory.grow {zero}))"), 560),
        (format!("(memory.fill {zero} {zero} {zero})"), 560),
        (format!("(memory.copy {zero} {zero} {zero})"), 560),
        (format!("(memory.init 0 {zero} {zero} {zero})"), 560),
        (format!("(call_indirect (type $t) {zero})"), 280),
        (format!("(drop (table.get 0 {zero}))"), 280),
        (format!("(table.fill 0 {zero} (ref.null func) {zero})"), 180),
        (format!("(drop (table.grow 0 (ref.null func) {zero}))"), 110),
        (format!("(table.init 0 0 {zero} {zero} {zero})"), 110),
        (format!("(table.copy {zero} {zero} {zero})"), 37),
    ];
    for (operator, most) in &cases {
        inspect(&module(operator, *most)).unwrap_or_else(|refusal| panic!("{operator}: {refusal}"));
        let text = refusal(&module(operator, most + 10));
        assert!(text.contains("branches times local variables"), "{operator}: {text}");
    }
}
