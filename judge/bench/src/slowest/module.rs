//! Whole modules: a bot that never answers, with functions of given shapes.

use judge_sandbox::intake::{MAX_CODE_KIB, MAX_FUNCTIONS};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataCountSection, DataSection, ElementSection, Elements,
    ExportKind, ExportSection, Function, FunctionSection, GlobalSection, GlobalType, Instruction,
    MemArg, MemorySection, MemoryType, Module, RefType, TableSection, TableType, TypeSection,
    ValType,
};

use super::genome::{FunctionKind, Genome, Sections};
use crate::operators::KINDS;

/// Type with eight `i64` parameters and results.
pub(super) const EIGHT_TO_EIGHT: u32 = 3;

/// Function with that type.
pub(super) const HELPER_EIGHT: u32 = 2;

/// Function with the maximum number of parameters.
pub(super) const HELPER_MANY: u32 = 3;

/// Number of its parameters.
pub(super) const MANY_PARAMETERS: u32 = 256;

/// Bytes for everything except the functions of the shapes.
const REST: usize = 4096;

/// The module of a genome, filled with its parts in turn up to its size.
pub(super) fn assemble(genome: &Genome) -> Vec<u8> {
    let bodies: Vec<Function> = genome.parts.iter().map(body).collect();
    let room = (genome.bytes as usize).min((MAX_CODE_KIB << 10) as usize).saturating_sub(REST);
    let (mut functions, mut code) = start();
    let (mut used, mut count) = (code.byte_len(), functions.len());
    let most = genome.functions.saturating_add(count).min(MAX_FUNCTIONS);
    for body in bodies.iter().cycle() {
        // Its type, and its length prefix.
        used += body.byte_len() + 5;
        if used > room || count >= most {
            break;
        }
        count += 1;
        functions.function(2);
        code.function(body);
    }
    finish(&functions, &code, &genome.sections)
}

/// The functions that every module has.
fn start() -> (FunctionSection, CodeSection) {
    use Instruction::{End, I32Const, I64ExtendI32U, LocalGet};
    let mut functions = FunctionSection::new();
    let mut code = CodeSection::new();
    let eight: Vec<_> = (0..8).map(LocalGet).collect();
    let many: Vec<_> = (0..8).flat_map(|local| [LocalGet(local), I64ExtendI32U]).collect();
    let bodies = [(0, vec![I32Const(1024)]), (1, vec![I32Const(0)]), (3, eight), (4, many)];
    for (kind, instructions) in bodies {
        functions.function(kind);
        let mut function = Function::new([]);
        for instruction in instructions.iter().chain([&End]) {
            function.instruction(instruction);
        }
        code.function(&function);
    }
    (functions, code)
}

/// One function: loops and blocks around its units, after which every local variable is read.
fn body(part: &FunctionKind) -> Function {
    let locals = part.locals.max(1);
    let places = KINDS.into_iter().chain(KINDS).map(|kind| (1, kind));
    let variables = [(locals, ValType::I32)].into_iter().chain(places).chain([part.idle]);
    let variables: Vec<(u32, ValType)> = variables.filter(|(count, _)| *count > 0).collect();
    let mut function = Function::new(variables);
    let mut add = |all: &[Instruction<'_>]| {
        all.iter().for_each(|instruction| {
            function.instruction(instruction);
        });
        function.byte_len()
    };
    add(&vec![Instruction::Loop(BlockType::Empty); part.loops as usize]);
    let mut used = add(&vec![Instruction::Block(BlockType::Empty); part.blocks as usize]);
    let closing = 6 * (part.loops + part.blocks) + if part.read { 6 * locals } else { 0 };
    let room = part.bytes.saturating_sub(closing) as usize;
    for number in 0.. {
        let unit = part.shape.unit(number, part);
        if unit.is_empty() || used + 6 * unit.len() > room {
            break;
        }
        used = add(&unit);
    }
    add(&vec![Instruction::End; part.blocks as usize]);
    for level in 0..part.loops {
        add(&[Instruction::LocalGet(level % locals), Instruction::BrIf(0), Instruction::End]);
    }
    if part.read {
        add(&sum(locals));
    }
    add(&[Instruction::End]);
    function
}

/// Stores the sum of all local variables, so that the compiler omits none.
fn sum(locals: u32) -> Vec<Instruction<'static>> {
    let mut all = vec![Instruction::I32Const(0), Instruction::I32Const(0)];
    for local in 0..locals {
        all.extend([Instruction::LocalGet(local), Instruction::I32Add]);
    }
    all.push(Instruction::I32Store(MemArg { offset: 0, align: 2, memory_index: 0 }));
    all
}

fn finish(functions: &FunctionSection, code: &CodeSection, more: &Sections) -> Vec<u8> {
    let mut tables = TableSection::new();
    tables.table(TableType {
        element_type: RefType::FUNCREF,
        table64: false,
        minimum: 100,
        maximum: None,
        shared: false,
    });
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: 2,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut exports = ExportSection::new();
    exports.export("memory", ExportKind::Memory, 0);
    exports.export("judge_buffer", ExportKind::Func, 0);
    exports.export("judge_line", ExportKind::Func, 1);
    for number in 0..more.exports {
        exports.export(&number.to_string(), ExportKind::Func, number % functions.len());
    }
    let mut module = Module::new();
    module.section(&types(more.types)).section(functions).section(&tables).section(&memories);
    module.section(&globals(more)).section(&exports).section(&elements(more));
    let data = data(more);
    module.section(&DataCountSection { count: data.len() }).section(code).section(&data);
    module.finish()
}

fn globals(more: &Sections) -> GlobalSection {
    let mut globals = GlobalSection::new();
    let mut add = |count: u32, val_type, value: ConstExpr| {
        for _ in 0..count {
            globals.global(GlobalType { val_type, mutable: true, shared: false }, &value);
        }
    };
    add(1 + more.globals, ValType::I32, ConstExpr::i32_const(0));
    add(more.vector_globals, ValType::V128, ConstExpr::v128_const(1));
    add(more.function_globals, ValType::Ref(RefType::FUNCREF), ConstExpr::ref_func(0));
    globals
}

/// The first copied segment does not fit, so that none is in place before.
fn elements(more: &Sections) -> ElementSection {
    let mut elements = ElementSection::new();
    let functions = || Elements::Functions((&[0, 1][..]).into());
    elements.passive(functions());
    for number in 0..more.active_elements {
        let place = if number == 0 { 200 } else { 0 };
        elements.active(None, &ConstExpr::i32_const(place), functions());
    }
    for _ in 0..more.passive_elements {
        elements.passive(functions());
    }
    elements
}

fn data(more: &Sections) -> DataSection {
    let mut data = DataSection::new();
    data.passive(*b"some bytes");
    for number in 0..more.active_data {
        data.active(0, &ConstExpr::i32_const(number as i32), *b"x");
    }
    for _ in 0..more.passive_data {
        data.passive(*b"x");
    }
    data
}

fn types(more: u32) -> TypeSection {
    let mut types = TypeSection::new();
    types.ty().function([], [ValType::I32]);
    types.ty().function([ValType::I32], [ValType::I32]);
    types.ty().function([], []);
    types.ty().function([ValType::I64; 8], [ValType::I64; 8]);
    types.ty().function(vec![ValType::I32; MANY_PARAMETERS as usize], [ValType::I64; 8]);
    for number in 0..more {
        let digits = (0..8).map(|digit| KINDS[(number >> (2 * digit)) as usize % 4]);
        types.ty().function(digits, []);
    }
    types
}
