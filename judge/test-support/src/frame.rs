//! A frame that turns a random module into a bot: functions written here receive lines and return
//! answers that contain the result of a random function `work`.

use std::collections::BTreeMap;

use wasm_encoder::Instruction as I;
use wasm_encoder::{BlockType, CodeSection, Function, Instruction, MemArg, RawSection, ValType};
use wasmparser::{ExternalKind, Parser, Payload, TypeRef};

/// Address of lines in the memory.
const LINE: u64 = 1024;

/// Address at which a program writes its answer.
const ANSWER: u64 = 6144;

/// First letter of questions; notices begin with others.
const QUESTION: i32 = b'd' as i32;

/// Imports and exports of a bot, with or without the log.
pub(crate) fn bot(log: bool) -> Vec<u8> {
    let import = if log { r#"(import "judge" "log" (func (param i32 i32)))"# } else { "" };
    let text = format!(
        r#"(module {import} (memory (export "memory") 1 24)
            (func (export "judge_buffer") (result i32) unreachable)
            (func (export "judge_line") (param i32) (result i32) unreachable)
            (func (export "work") (param i32) (result i32) unreachable))"#
    );
    wat::parse_str(text).expect("a module")
}

/// WASI functions with their parameters: those with an effect, and one that fails.
const SYSTEM: [(&str, &str); 13] = [
    ("fd_read", "i32 i32 i32 i32"),
    ("fd_write", "i32 i32 i32 i32"),
    ("args_get", "i32 i32"),
    ("clock_time_get", "i32 i64 i32"),
    ("environ_sizes_get", "i32 i32"),
    ("fd_close", "i32"),
    ("fd_fdstat_get", "i32 i32"),
    ("fd_filestat_get", "i32 i32"),
    ("fd_seek", "i32 i64 i32 i32"),
    ("path_open", "i32 i32 i32 i32 i32 i64 i64 i32 i32"),
    ("poll_oneoff", "i32 i32 i32 i32"),
    ("random_get", "i32 i32"),
    ("sched_yield", ""),
];

/// Their indexes in the module.
const FD_READ: u32 = 0;
const FD_WRITE: u32 = 1;

/// Imports and exports of a program.
pub(crate) fn program() -> Vec<u8> {
    let import = |(name, parameters): (&str, &str)| {
        format!(
            r#"(import "wasi_snapshot_preview1" "{name}"
                (func (param {parameters}) (result i32)))"#
        )
    };
    let imports = SYSTEM.map(import).concat();
    let text = format!(
        r#"(module {imports} (memory (export "memory") 1 24)
            (func (export "_start") unreachable)
            (func (export "work") (param i32) (result i32) unreachable))"#
    );
    wat::parse_str(text).expect("a module")
}

/// The module with other bodies for the functions that the judge calls.
pub(crate) fn around(module: &[u8], is_program: bool) -> Vec<u8> {
    let (functions, imported) = functions(module);
    let work = functions["work"];
    let bodies = if is_program {
        BTreeMap::from([(functions["_start"], start(work))])
    } else {
        BTreeMap::from([
            (functions["judge_buffer"], buffer()),
            (functions["judge_line"], line(work)),
        ])
    };
    let mut result = wasm_encoder::Module::new();
    let mut code = CodeSection::new();
    let mut bodies_left = 0;
    let mut number = imported;
    for payload in payloads(module) {
        match payload {
            Payload::CodeSectionStart { count, .. } => bodies_left = count,
            Payload::CodeSectionEntry(random) => {
                match bodies.get(&number) {
                    Some(body) => code.function(body),
                    None => code.raw(random.as_bytes()),
                };
                number += 1;
                bodies_left -= 1;
                if bodies_left == 0 {
                    result.section(&code);
                }
            }
            other => {
                if let Some((id, range)) = other.as_section() {
                    result.section(&RawSection { id, data: &module[range] });
                }
            }
        }
    }
    result.finish()
}

fn payloads(module: &[u8]) -> impl Iterator<Item = Payload<'_>> {
    Parser::new(0).parse_all(module).map(|payload| payload.expect("the generator writes sections"))
}

/// The exported functions, and the number of imported ones.
fn functions(module: &[u8]) -> (BTreeMap<&str, u32>, u32) {
    let (mut exported, mut imported) = (BTreeMap::new(), 0);
    for payload in payloads(module) {
        match payload {
            Payload::ImportSection(section) => {
                let imports = section.into_imports().map(|import| import.expect("an import").ty);
                imported = imports.filter(|kind| matches!(kind, TypeRef::Func(_))).count() as u32;
            }
            Payload::ExportSection(section) => {
                let exports = section.into_iter().map(|export| export.expect("an export"));
                let functions = exports.filter(|export| export.kind == ExternalKind::Func);
                exported.extend(functions.map(|export| (export.name, export.index)));
            }
            _ => {}
        }
    }
    (exported, imported)
}

fn body(locals: u32, instructions: &[&[Instruction<'_>]]) -> Function {
    let mut body = Function::new([(locals, ValType::I32)]);
    for instruction in instructions.concat() {
        body.instruction(&instruction);
    }
    body.instruction(&I::End);
    body
}

const fn at(address: u64) -> MemArg {
    MemArg { offset: address, align: 0, memory_index: 0 }
}

fn put(address: u64, value: i32) -> [Instruction<'static>; 3] {
    [I::I32Const(0), I::I32Const(value), I::I32Store(at(address))]
}

/// 1 if the line is a question, else 0.
const IS_QUESTION: [Instruction<'static>; 4] =
    [I::I32Const(0), I::I32Load8U(at(LINE)), I::I32Const(QUESTION), I::I32Eq];

/// Stores a letter that depends on `work` of the number in local 0.
fn work_into(work: u32, address: u64) -> [Instruction<'static>; 8] {
    [
        I::I32Const(0),
        I::LocalGet(0),
        I::Call(work),
        I::I32Const(63),
        I::I32And,
        I::I32Const(b'!'.into()),
        I::I32Add,
        I::I32Store8(at(address)),
    ]
}

fn buffer() -> Function {
    body(0, &[&[I::I32Const(LINE as i32)]])
}

/// A letter as the answer to a question, nothing for other lines.
fn line(work: u32) -> Function {
    let set = [I::LocalSet(1)];
    body(1, &[&IS_QUESTION, &set, &work_into(work, LINE), &[I::LocalGet(1)]])
}

/// Reads lines to the end and answers the questions with a letter.
fn start(work: u32) -> Function {
    let read: [&[Instruction<'_>]; 5] = [
        &put(0, LINE as i32),
        &put(4, 4097),
        &[I::I32Const(0), I::I32Const(0), I::I32Const(1), I::I32Const(8)],
        &[I::Call(FD_READ), I::Drop],
        &[I::I32Const(0), I::I32Load(at(8)), I::LocalTee(0), I::I32Eqz, I::BrIf(1)],
    ];
    let ask: [&[Instruction<'_>]; 3] = [&IS_QUESTION, &[I::LocalSet(1)], &work_into(work, ANSWER)];
    let write: [&[Instruction<'_>]; 5] = [
        &[I::LocalGet(1), I::I32Eqz, I::BrIf(0)],
        &[I::I32Const(0), I::I32Const(b'\n'.into()), I::I32Store8(at(ANSWER + 1))],
        &put(16, ANSWER as i32),
        &put(20, 2),
        &[I::I32Const(1), I::I32Const(16), I::I32Const(1), I::I32Const(24)],
    ];
    let empty = BlockType::Empty;
    let again = [I::Call(FD_WRITE), I::Drop, I::Br(0), I::End, I::End];
    let open = [I::Block(empty), I::Loop(empty)];
    body(2, &[&open, &read.concat(), &ask.concat(), &write.concat(), &again])
}
