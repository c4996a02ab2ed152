//! Modules full of one operator.

use judge_sandbox::intake;
use wasm_encoder::{
    CodeSection, ConstExpr, DataCountSection, DataSection, ElementSection, Elements, ExportKind,
    ExportSection, Function, FunctionSection, GlobalSection, GlobalType, Instruction,
    MemorySection, MemoryType, Module, RefType, TableSection, TableType, TypeSection, ValType,
};

use super::catalog::{OperatorEntry, all};
use super::unit::{Filling, KINDS, Places, Signature};

/// The local variables of these functions: their parameters.
pub(super) const PLACES: Places = Places(0);

/// Type of these functions.
const MEASURED: u32 = 2;

/// A bot with functions of these bodies.
pub(super) fn bot(bodies: &[Vec<Instruction<'_>>]) -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], [ValType::I32]);
    types.ty().function([ValType::I32], [ValType::I32]);
    types.ty().function([KINDS, KINDS].concat(), []);
    let mut functions = FunctionSection::new();
    functions.function(0).function(1);
    let mut code = CodeSection::new();
    code.function(&function(&[Instruction::I32Const(1024)]));
    code.function(&function(&[Instruction::I32Const(0)]));
    for body in bodies {
        functions.function(MEASURED);
        code.function(&function(body));
    }
    assemble(&types, &functions, &code)
}

fn function(body: &[Instruction<'_>]) -> Function {
    let mut function = Function::new([]);
    for instruction in body {
        function.instruction(instruction);
    }
    function.instruction(&Instruction::End);
    function
}

fn assemble(types: &TypeSection, functions: &FunctionSection, code: &CodeSection) -> Vec<u8> {
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
    let mut globals = GlobalSection::new();
    let kind = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
    globals.global(kind, &ConstExpr::i32_const(0));
    let mut exports = ExportSection::new();
    exports.export("memory", ExportKind::Memory, 0);
    exports.export("judge_buffer", ExportKind::Func, 0);
    exports.export("judge_line", ExportKind::Func, 1);
    let mut elements = ElementSection::new();
    elements.passive(Elements::Functions((&[0, 1][..]).into()));
    let mut data = DataSection::new();
    data.passive(*b"some bytes");
    let mut module = Module::new();
    module.section(types).section(functions).section(&tables).section(&memories);
    module.section(&globals).section(&exports).section(&elements);
    module.section(&DataCountSection { count: 1 }).section(code).section(&data);
    module.finish()
}

/// The repetition of every operator. Its types are found by trying all.
pub(crate) fn fillings() -> Vec<Filling> {
    all().into_iter().map(filling).collect()
}

fn filling(entry: OperatorEntry) -> Filling {
    let control = ["Select", "Drop", "Nop", "Unreachable", "TypedSelect"].contains(&entry.name)
        || entry.name.starts_with("Local");
    match entry.values() {
        Some((takes, leaves)) if !control => signature(&entry, takes, leaves)
            .map_or(Filling::Control(entry), |signature| Filling::Values(entry, signature)),
        _ => Filling::Control(entry),
    }
}

/// The types for which a function with the operator is valid.
fn signature(entry: &OperatorEntry, takes: usize, leaves: usize) -> Option<Signature> {
    let results: Vec<Option<ValType>> =
        if leaves == 0 { vec![None] } else { KINDS.map(Some).to_vec() };
    for takes in combinations(takes) {
        let dropped = Instruction::Drop;
        if !is_valid(entry, &takes, (leaves > 0).then_some(dropped)) {
            continue;
        }
        let fits = |leaves: &&Option<ValType>| {
            let sink = leaves.map(|kind| Instruction::LocalSet(PLACES.first(kind)));
            is_valid(entry, &takes, sink)
        };
        let leaves = *results.iter().find(fits)?;
        return Some(Signature { takes, leaves });
    }
    None
}

/// All sequences of `length` types.
fn combinations(length: usize) -> Vec<Vec<ValType>> {
    let mut rows = vec![vec![]];
    for _ in 0..length {
        rows = rows
            .iter()
            .flat_map(|row: &Vec<ValType>| KINDS.map(|kind| [&row[..], &[kind]].concat()))
            .collect();
    }
    rows
}

fn is_valid(entry: &OperatorEntry, takes: &[ValType], sink: Option<Instruction<'static>>) -> bool {
    let operands = takes.iter().map(|kind| Instruction::LocalGet(PLACES.first(*kind)));
    let body: Vec<_> = operands.chain(entry.instruction(0)).chain(sink).collect();
    intake::inspect(&bot(&[body])).is_ok()
}

/// A body with `units` units.
pub(super) fn body(filling: &Filling, units: u32) -> Vec<Instruction<'static>> {
    let mut body = filling.begin(PLACES);
    for number in 0..units {
        body.extend(filling.unit(number, PLACES));
    }
    body.extend(filling.end(PLACES));
    body
}

/// A body of units that only load a value of a type and store it elsewhere.
pub(super) fn copies(kind: ValType, units: u32) -> Vec<Instruction<'static>> {
    let unit = |number| {
        let address = [Instruction::LocalGet(PLACES.first(ValType::I32))];
        let load = super::unit::load(kind, number, PLACES);
        [&address[..], &load, &super::unit::store(kind, number + 1)].concat()
    };
    (0..units).flat_map(unit).collect()
}
