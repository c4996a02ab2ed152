//! Makes a bot from a module of the suite: a line names a case, and the answer says whether the
//! module passed it.

use std::collections::BTreeMap;
use std::ops::Range;

use wasm_encoder::Instruction as I;
use wasm_encoder::{
    BlockType, Encode, ExportKind, ExportSection, Function, HeapType, Instruction, MemArg, Module,
    RawSection, ValType,
};
use wasmparser::{BinaryReader, ExternalKind, Parser, Payload};

use super::cases::{Case, CaseKind, Ends, Pattern, Value, What};

/// Address of the line: at the end of the first page. A global variable saves the module's content
/// there between calls.
const BUFFER: u64 = 65_536 - 4096;

/// A line is two digits to this base, counted from the character `!`.
const BASE: usize = 90;
const ZERO: u8 = b'!';

/// Most cases that two characters can name.
const MAX_CASES: usize = BASE * BASE;

/// The line that asks for a case.
pub fn line(case: usize) -> String {
    [case % BASE, case / BASE].map(|digit| char::from(ZERO + digit as u8)).iter().collect()
}

/// The answer of a module that passed.
pub const RIGHT: &str = "1";

/// Identifiers of sections, in their order in a module.
const ORDER: [u8; 12] = [TYPES, 2, FUNCTIONS, 4, MEMORIES, GLOBALS, EXPORTS, 8, 9, 12, CODE, 11];
const TYPES: u8 = 1;
const FUNCTIONS: u8 = 3;
const MEMORIES: u8 = 5;
const GLOBALS: u8 = 6;
const EXPORTS: u8 = 7;
const CODE: u8 = 10;

/// Exports of the bot itself, which replace those of the module.
const OWN: [&str; 4] = ["memory", "judge_buffer", "judge_line", "_initialize"];

/// The sections of a module without imports, and their content.
#[derive(Default)]
struct Parts<'a> {
    module: &'a [u8],
    sections: BTreeMap<u8, Range<usize>>,
    exports: BTreeMap<&'a str, (ExternalKind, u32)>,
    /// Number of results by type.
    results: Vec<usize>,
    /// Type by function.
    functions: Vec<u32>,
    globals: u32,
    /// Initial pages of the memory; none without a memory.
    pages: Option<u64>,
}

impl<'a> Parts<'a> {
    fn from_module(module: &'a [u8]) -> Parts<'a> {
        let mut parts = Parts { module, ..Parts::default() };
        for payload in Parser::new(0).parse_all(module).map(Result::unwrap) {
            parts.sections.extend(payload.as_section().filter(|(id, _)| *id != 0));
            parts.note(payload);
        }
        parts
    }

    fn note(&mut self, payload: Payload<'a>) {
        match payload {
            Payload::TypeSection(section) => {
                let types = section.into_iter_err_on_gc_types().map(Result::unwrap);
                self.results = types.map(|function| function.results().len()).collect();
            }
            Payload::FunctionSection(section) => {
                self.functions = section.into_iter().map(Result::unwrap).collect();
            }
            Payload::MemorySection(section) => {
                self.pages = section.into_iter().next().map(|memory| memory.unwrap().initial);
            }
            Payload::GlobalSection(section) => self.globals = section.count(),
            Payload::ExportSection(section) => {
                let exports = section.into_iter().map(Result::unwrap);
                self.exports = exports.map(|e| (e.name, (e.kind, e.index))).collect();
            }
            _ => {}
        }
    }

    /// The section with `items` appended.
    fn appended(&self, section: u8, count: usize, items: &[u8]) -> Vec<u8> {
        let bytes =
            self.sections.get(&section).map_or(&[0][..], |range| &self.module[range.clone()]);
        let mut reader = BinaryReader::new(bytes, 0);
        let before = reader.read_var_u32().unwrap() as usize;
        let mut data = Vec::new();
        (before + count).encode(&mut data);
        data.extend(reader.read_bytes(reader.bytes_remaining()).unwrap());
        data.extend(items);
        data
    }
}

/// Makes the bot; none if the memory has no room for lines, or there are too many cases.
pub fn bot(module: &[u8], cases: &[Case]) -> Option<Vec<u8>> {
    let parts = Parts::from_module(module);
    if parts.pages == Some(0) || cases.len() > MAX_CASES {
        return None;
    }
    let mut bodies: Vec<Function> = cases.iter().map(|case| case_of(case, &parts)).collect();
    bodies.push(buffer(parts.globals));
    bodies.push(dispatch(&parts, cases.len()));
    let mut bot = Module::new();
    for id in ORDER {
        let data = match id {
            TYPES => parts.appended(TYPES, 2, &[0x60, 0, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7f]),
            FUNCTIONS => parts.appended(FUNCTIONS, bodies.len(), &types(&parts, bodies.len())),
            GLOBALS => parts.appended(GLOBALS, 1, &[0x7f, 1, 0x41, 0, 0x0b]),
            MEMORIES if parts.pages.is_none() => vec![1, 0, 1],
            EXPORTS => exports(&parts, bodies.len()),
            CODE => parts.appended(CODE, bodies.len(), &encoded(&bodies)),
            _ => match parts.sections.get(&id) {
                Some(range) => module[range.clone()].to_vec(),
                None => continue,
            },
        };
        bot.section(&RawSection { id, data: &data });
    }
    Some(bot.finish())
}

/// Types of the added functions: all return a number, and only the last has a parameter.
fn types(parts: &Parts<'_>, added: usize) -> Vec<u8> {
    let first = parts.results.len() as u32;
    let mut data = Vec::new();
    for at in 1..=added {
        (first + u32::from(at == added)).encode(&mut data);
    }
    data
}

fn encoded(bodies: &[Function]) -> Vec<u8> {
    let mut data = Vec::new();
    for body in bodies {
        body.encode(&mut data);
    }
    data
}

/// Exports of the module and of the bot. The module's exports make its references to functions
/// valid.
fn exports(parts: &Parts<'_>, added: usize) -> Vec<u8> {
    let last = (parts.functions.len() + added) as u32 - 1;
    let mut section = ExportSection::new();
    section.export("memory", ExportKind::Memory, 0);
    section.export("judge_buffer", ExportKind::Func, last - 1);
    section.export("judge_line", ExportKind::Func, last);
    for (name, (kind, index)) in parts.exports.iter().filter(|(name, _)| !OWN.contains(name)) {
        let kind = match kind {
            ExternalKind::Table => ExportKind::Table,
            ExternalKind::Memory => ExportKind::Memory,
            ExternalKind::Global => ExportKind::Global,
            _ => ExportKind::Func,
        };
        section.export(name, kind, *index);
    }
    let mut data = Vec::new();
    section.encode(&mut data);
    // Skip the size, which comes first.
    let mut reader = BinaryReader::new(&data, 0);
    reader.read_var_u32().unwrap();
    reader.read_bytes(reader.bytes_remaining()).unwrap().to_vec()
}

fn body(locals: u32, instructions: &[Instruction<'_>]) -> Function {
    let mut body = Function::new([(locals, ValType::I32)]);
    for instruction in instructions {
        body.instruction(instruction);
    }
    body.instruction(&I::End);
    body
}

const fn at(address: u64) -> MemArg {
    MemArg { offset: address, align: 0, memory_index: 0 }
}

/// Saves the module's content at the address of the line.
fn put_aside(global: u32) -> [Instruction<'static>; 3] {
    [I::I32Const(0), I::I32Load16U(at(BUFFER)), I::GlobalSet(global)]
}

fn buffer(global: u32) -> Function {
    let mut code = put_aside(global).to_vec();
    code.push(I::I32Const(BUFFER as i32));
    body(0, &code)
}

/// Runs the function of the case that the line names, and answers with its result.
fn dispatch(parts: &Parts<'_>, cases: usize) -> Function {
    let digit =
        |place| [I::I32Const(0), I::I32Load8U(at(place)), I::I32Const(ZERO.into()), I::I32Sub];
    let mut code = digit(BUFFER).to_vec();
    code.extend(digit(BUFFER + 1));
    code.extend([I::I32Const(BASE as i32), I::I32Mul, I::I32Add, I::LocalSet(1)]);
    code.extend([I::I32Const(0), I::GlobalGet(parts.globals), I::I32Store16(at(BUFFER))]);
    let first = parts.functions.len() as u32;
    for case in 0..cases {
        code.extend([I::LocalGet(1), I::I32Const(case as i32), I::I32Eq, I::If(BlockType::Empty)]);
        code.extend([I::Call(first + case as u32), I::LocalSet(2), I::End]);
    }
    code.extend(put_aside(parts.globals));
    code.extend([I::I32Const(0), I::LocalGet(2), I::I32Const(b'0'.into()), I::I32Add]);
    code.extend([I::I32Store8(at(BUFFER)), I::I32Const(1)]);
    body(2, &code)
}

/// Runs the case; returns 1 if the results are as expected.
fn case_of(case: &Case, parts: &Parts<'_>) -> Function {
    let mut code = vec![I::I32Const(1), I::LocalSet(0)];
    let mut results = 1;
    match &case.what {
        What::Call { function, arguments } => {
            let (_, index) = parts.exports[function.as_str()];
            code.extend(arguments.iter().map(constant));
            code.push(I::Call(index));
            results = parts.results[parts.functions[index as usize] as usize];
        }
        What::Global(name) => code.push(I::GlobalGet(parts.exports[name.as_str()].1)),
        What::Start => results = 0,
    }
    if let Ends::Returns(Some(patterns)) = &case.ends {
        assert_eq!(patterns.len(), results, "{case:?}");
        for pattern in patterns.iter().rev() {
            code.extend(check(pattern));
            code.extend([I::LocalGet(0), I::I32And, I::LocalSet(0)]);
        }
    } else {
        code.extend(vec![I::Drop; results]);
    }
    code.push(I::LocalGet(0));
    body(1, &code)
}

fn constant(value: &Value) -> Instruction<'static> {
    match *value {
        Value::NullFunction => I::RefNull(HeapType::FUNC),
        Value::Number(kind, bits) => number(kind, bits),
    }
}

fn number(kind: CaseKind, bits: u128) -> Instruction<'static> {
    match kind {
        CaseKind::I32 => I::I32Const(bits as i32),
        CaseKind::I64 => I::I64Const(bits as i64),
        CaseKind::F32 => I::F32Const(f32::from_bits(bits as u32).into()),
        CaseKind::F64 => I::F64Const(f64::from_bits(bits as u64).into()),
        CaseKind::V128 => I::V128Const(bits as i128),
    }
}

/// Leaves 1 if the value on the stack matches, else 0.
fn check(pattern: &Pattern) -> Vec<Instruction<'static>> {
    let (kind, bits, mask) = match *pattern {
        Pattern::IsNull(true) => return vec![I::RefIsNull],
        Pattern::IsNull(false) => return vec![I::RefIsNull, I::I32Eqz],
        Pattern::Number { kind, bits, mask } => (kind, bits, mask),
    };
    match kind {
        CaseKind::I32 | CaseKind::F32 => {
            let bare = (kind == CaseKind::F32).then_some(I::I32ReinterpretF32);
            let compare =
                [number(CaseKind::I32, mask), I::I32And, number(CaseKind::I32, bits), I::I32Eq];
            bare.into_iter().chain(compare).collect()
        }
        CaseKind::I64 | CaseKind::F64 => {
            let bare = (kind == CaseKind::F64).then_some(I::I64ReinterpretF64);
            let compare =
                [number(CaseKind::I64, mask), I::I64And, number(CaseKind::I64, bits), I::I64Eq];
            bare.into_iter().chain(compare).collect()
        }
        CaseKind::V128 => {
            let compare = [number(kind, mask), I::V128And, number(kind, bits), I::I8x16Eq];
            compare.into_iter().chain([I::I8x16AllTrue]).collect()
        }
    }
}
