//! Modules of extreme shape. Each is a complete bot that answers nothing, plus the extreme part. If
//! it passes intake and the compiler, it ends in a protocol error.

use std::borrow::Cow;

use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, CustomSection, DataCountSection, DataSection,
    ElementSection, Elements, EntityType, ExportKind, ExportSection, Function, FunctionSection,
    GlobalSection, GlobalType, ImportSection, Instruction, MemArg, MemorySection, MemoryType,
    Module, RefType, TableSection, TableType, TypeSection, ValType,
};

/// Index of the type `() -> ()`, which the extreme functions have.
const NOTHING: u32 = 2;

/// The first function that a shape adds.
const FIRST: u32 = 2;

/// The sections of a bot, to which an extreme part is added.
struct BotSections {
    types: TypeSection,
    imports: ImportSection,
    functions: FunctionSection,
    tables: TableSection,
    globals: GlobalSection,
    exports: ExportSection,
    elements: ElementSection,
    code: CodeSection,
    data: DataSection,
    /// True to count the segments before the code, so that operators may refer to them.
    counts_data: bool,
}

impl BotSections {
    fn new() -> BotSections {
        let mut types = TypeSection::new();
        types.ty().function([], [ValType::I32]);
        types.ty().function([ValType::I32], [ValType::I32]);
        types.ty().function([], []);
        let mut functions = FunctionSection::new();
        functions.function(0).function(1);
        let mut exports = ExportSection::new();
        exports.export("memory", ExportKind::Memory, 0);
        exports.export("judge_buffer", ExportKind::Func, 0);
        exports.export("judge_line", ExportKind::Func, 1);
        let mut code = CodeSection::new();
        code.function(&function(0, &[Instruction::I32Const(1024)]));
        code.function(&function(0, &[Instruction::I32Const(0)]));
        let (imports, globals) = (ImportSection::new(), GlobalSection::new());
        let (elements, data) = (ElementSection::new(), DataSection::new());
        let tables = TableSection::new();
        let counts_data = false;
        BotSections {
            types,
            imports,
            functions,
            tables,
            globals,
            exports,
            elements,
            code,
            data,
            counts_data,
        }
    }

    /// A bot with one more function, of type `() -> ()`.
    fn with(body: &Function) -> Vec<u8> {
        BotSections::with_many(1, body)
    }

    /// A bot with this many more functions, all equal.
    fn with_many(count: u32, body: &Function) -> Vec<u8> {
        let mut bot = BotSections::new();
        bot.add(count, body);
        bot.module().finish()
    }

    fn add(&mut self, count: u32, body: &Function) {
        for _ in 0..count {
            self.functions.function(NOTHING);
            self.code.function(body);
        }
    }

    /// A table of one function pointer.
    fn table(&mut self) {
        self.tables.table(TableType {
            element_type: RefType::FUNCREF,
            table64: false,
            minimum: 1,
            maximum: None,
            shared: false,
        });
    }

    /// Adds data segments with this many bytes each, which are copied when an instance starts.
    fn add_data(&mut self, count: u32, bytes: u32) {
        for _ in 0..count {
            self.data.active(0, &ConstExpr::i32_const(8), vec![1; bytes as usize]);
        }
    }

    fn module(&self) -> Module {
        let mut memories = MemorySection::new();
        memories.memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut module = Module::new();
        module.section(&self.types);
        module.section(&self.imports);
        module.section(&self.functions);
        module.section(&self.tables);
        module.section(&memories);
        module.section(&self.globals);
        module.section(&self.exports);
        module.section(&self.elements);
        if self.counts_data {
            module.section(&DataCountSection { count: self.data.len() });
        }
        module.section(&self.code);
        module.section(&self.data);
        module
    }
}

/// A function with this many local variables of type `i32`.
fn function(locals: u32, body: &[Instruction<'_>]) -> Function {
    let mut function = Function::new((locals > 0).then_some((locals, ValType::I32)));
    for instruction in body {
        function.instruction(instruction);
    }
    function.instruction(&Instruction::End);
    function
}

/// Nested blocks.
pub(super) fn blocks(depth: u32) -> Vec<u8> {
    let mut body = vec![Instruction::Block(BlockType::Empty); depth as usize];
    body.extend(vec![Instruction::End; depth as usize]);
    BotSections::with(&function(0, &body))
}

/// A function with a body of this many bytes.
pub(super) fn body(bytes: u32) -> Vec<u8> {
    // One byte each for the groups of locals (none), the end, and each instruction.
    BotSections::with(&function(0, &vec![Instruction::Nop; bytes.saturating_sub(2) as usize]))
}

/// A branch with this many targets, which cycle through this many blocks.
pub(super) fn branch_table(targets: u32, depth: u32) -> Vec<u8> {
    let depth = depth.max(1);
    let table: Vec<u32> = (0..targets).map(|target| target % depth).collect();
    let mut body = vec![Instruction::Block(BlockType::Empty); depth as usize];
    body.push(Instruction::I32Const(0));
    body.push(Instruction::BrTable(Cow::Owned(table), 0));
    body.extend(vec![Instruction::End; depth as usize]);
    BotSections::with(&function(0, &body))
}

/// A custom section with this many zeros.
pub(super) fn custom(name: &str, bytes: u32) -> Vec<u8> {
    let data = vec![0; bytes as usize];
    let mut module = BotSections::new().module();
    module.section(&CustomSection { name: name.into(), data: (&data).into() });
    module.finish()
}

/// Exports with names that are dangerous in a page.
pub(super) fn exports(count: u32) -> Vec<u8> {
    let mut bot = BotSections::new();
    for number in 0..count {
        bot.exports.export(&format!("<script>{number}"), ExportKind::Func, 0);
    }
    bot.module().finish()
}

/// Elements of tables that are never used.
pub(super) fn elements(count: u32) -> Vec<u8> {
    let mut bot = BotSections::new();
    bot.elements.passive(Elements::Functions(vec![0; count as usize].into()));
    bot.module().finish()
}

/// An initial value with this many additions.
pub(super) fn additions(count: u32) -> Vec<u8> {
    let mut bot = BotSections::new();
    let more = [Instruction::I32Const(1), Instruction::I32Add];
    let sum = std::iter::once(Instruction::I32Const(0));
    let sum = sum.chain((0..count).flat_map(|_| more.clone()));
    let kind = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
    bot.globals.global(kind, &ConstExpr::extended(sum));
    bot.module().finish()
}

/// This many functions in total.
pub(super) fn functions(count: u32) -> Vec<u8> {
    BotSections::with_many(count.saturating_sub(2), &function(0, &[]))
}

/// Global variables.
pub(super) fn globals(count: u32) -> Vec<u8> {
    let mut bot = BotSections::new();
    let kind = GlobalType { val_type: ValType::I64, mutable: true, shared: false };
    for number in 0..count {
        bot.globals.global(kind, &ConstExpr::i64_const(number.into()));
    }
    bot.module().finish()
}

/// Imports of a function that does not exist.
pub(super) fn imports(count: u32) -> Vec<u8> {
    let mut bot = BotSections::new();
    for _ in 0..count {
        bot.imports.import("env", "f", EntityType::Function(NOTHING));
    }
    bot.module().finish()
}

/// Local variables in one function.
pub(super) fn locals(count: u32) -> Vec<u8> {
    BotSections::with(&function(count, &[]))
}

/// Consecutive loops that change each local variable in turn.
pub(super) fn loops(count: u32, locals: u32) -> Vec<u8> {
    let mut body = Vec::new();
    for number in 0..count {
        body.push(Instruction::Loop(BlockType::Empty));
        body.extend(step(number % locals.max(1)));
        body.extend([Instruction::BrIf(0), Instruction::End]);
    }
    body.extend(sum(locals));
    BotSections::with(&function(locals, &body))
}

/// Nested loops, with local variables changed in the innermost.
pub(super) fn nested_loops(depth: u32, locals: u32) -> Vec<u8> {
    let mut body = vec![Instruction::Loop(BlockType::Empty); depth as usize];
    for local in 0..locals.min(10_000) {
        body.extend(step(local));
        body.push(Instruction::Drop);
    }
    for _ in 0..depth {
        body.extend([Instruction::LocalGet(0), Instruction::BrIf(0), Instruction::End]);
    }
    BotSections::with(&function(locals, &body))
}

/// A bot of exactly this size, padded with an unused section.
pub(super) fn padded(size: u32) -> Vec<u8> {
    let mut rest = size as usize;
    loop {
        let module = custom("padding", rest as u32);
        match module.len().checked_sub(size as usize) {
            None | Some(0) => return module,
            Some(over) => rest = rest.saturating_sub(over),
        }
    }
}

/// Consecutive loops with calls, and all local variables live across them.
pub(super) fn calling_loops(count: u32, locals: u32) -> Vec<u8> {
    let mut body = Vec::new();
    for number in 0..count {
        body.push(Instruction::Loop(BlockType::Empty));
        body.extend([Instruction::Call(FIRST), Instruction::Call(FIRST)]);
        body.extend(step(number % locals.max(1)));
        body.extend([Instruction::BrIf(0), Instruction::End]);
    }
    body.extend(sum(locals));
    BotSections::with(&function(locals, &body))
}

/// A function with parameters.
pub(super) fn parameters(count: u32) -> Vec<u8> {
    let mut bot = BotSections::new();
    bot.types.ty().function(vec![ValType::I32; count as usize], []);
    bot.functions.function(NOTHING + 1);
    bot.code.function(&function(0, &[]));
    bot.module().finish()
}

/// Functions with 250 parameters.
pub(super) fn signatures(functions: u32) -> Vec<u8> {
    let mut bot = BotSections::new();
    bot.types.ty().function(vec![ValType::I32; 250], []);
    for _ in 0..functions {
        bot.functions.function(NOTHING + 1);
        bot.code.function(&function(0, &[]));
    }
    bot.module().finish()
}

/// Joins of two paths that each change a local variable, in one large function.
pub(super) fn phis(joins: u32, locals: u32) -> Vec<u8> {
    let mut body = vec![Instruction::Block(BlockType::Empty)];
    for number in 0..joins {
        body.extend([Instruction::LocalGet(number % locals.max(1)), Instruction::BrIf(0)]);
        for local in 0..4 {
            body.extend(step((number * 4 + local) % locals.max(1)));
            body.push(Instruction::Drop);
        }
    }
    body.push(Instruction::End);
    body.extend(sum(locals));
    BotSections::with(&function(locals, &body))
}

/// Functions with a loop that jumps by a table into consecutive pieces of code. The first piece
/// gives every local variable its neighbour's value, so at each piece both values meet.
pub(super) fn rotations(functions: u32, locals: u32, pieces: u32) -> Vec<u8> {
    let table: Vec<u32> = (0..pieces).collect();
    let from = MemArg { offset: 0, align: 2, memory_index: 0 };
    let mut body: Vec<Instruction<'_>> = (0..locals)
        .flat_map(|local| {
            let place = Instruction::I32Const((local * 4) as i32);
            [place, Instruction::I32Load(from), Instruction::LocalSet(local)]
        })
        .collect();
    body.push(Instruction::Loop(BlockType::Empty));
    body.extend(vec![Instruction::Block(BlockType::Empty); pieces as usize + 1]);
    body.extend([Instruction::LocalGet(0), Instruction::BrTable(Cow::Owned(table), pieces)]);
    body.push(Instruction::End);
    body.extend((0..locals).map(|local| Instruction::LocalGet((local + 1) % locals.max(1))));
    body.extend((0..locals).rev().map(Instruction::LocalSet));
    body.extend(vec![Instruction::End; pieces as usize]);
    body.extend([Instruction::LocalGet(1), Instruction::BrIf(0), Instruction::End]);
    body.extend(sum(locals));
    BotSections::with_many(functions, &function(locals, &body))
}

/// A function with two blocks that are each left in this many ways before all variables are
/// written.
pub(super) fn ways(variables: u32, ways: u32) -> Vec<u8> {
    let from = MemArg { offset: 0, align: 2, memory_index: 0 };
    let written = |block: u32| {
        (0..variables).flat_map(move |variable| {
            let place = Instruction::I32Const((4 * (variables * block + variable)) as i32);
            [place, Instruction::I32Load(from), Instruction::LocalSet(variable)]
        })
    };
    let out = [Instruction::LocalGet(0), Instruction::BrIf(0)];
    let mut body: Vec<Instruction<'_>> = written(0).collect();
    for block in 1..3 {
        body.push(Instruction::Block(BlockType::Empty));
        body.extend(vec![out.clone(); ways as usize].concat());
        body.extend(written(block));
        body.push(Instruction::End);
    }
    body.extend(sum(variables));
    BotSections::with(&function(variables, &body))
}

/// Functions that repeatedly request more memory, with local variables live until the end.
pub(super) fn growths(functions: u32, count: u32, locals: u32) -> Vec<u8> {
    let grow = [Instruction::LocalGet(0), Instruction::MemoryGrow(0), Instruction::LocalSet(0)];
    let mut body = vec![grow; count as usize].concat();
    body.extend(sum(locals));
    BotSections::with_many(functions, &function(locals, &body))
}

/// Function types that are all different.
pub(super) fn types(count: u32) -> Vec<u8> {
    let mut bot = BotSections::new();
    let kinds = [ValType::I32, ValType::I64, ValType::F32, ValType::F64];
    for number in 0..count {
        let digits = (0..8).map(|digit| kinds[(number >> (2 * digit)) as usize % 4]);
        bot.types.ty().function(digits, []);
    }
    bot.module().finish()
}

/// Functions that round a number repeatedly, with local variables that they hardly use. They are
/// among the slowest inputs for the compiler.
pub(super) fn roundings(functions: u32, units: u32, locals: u32) -> Vec<u8> {
    let mut unit = vec![Instruction::LocalGet(0), Instruction::F64ConvertI32S];
    unit.extend(vec![Instruction::F64Nearest; 30]);
    unit.extend([Instruction::I32TruncSatF64S, Instruction::LocalSet(1)]);
    let body: Vec<Instruction<'_>> = vec![unit; units as usize].concat();
    BotSections::with_many(functions, &function(locals, &body))
}

/// Functions with branches that all lead out of one block.
pub(super) fn branches_out(functions: u32, branches: u32) -> Vec<u8> {
    let mut body = vec![Instruction::Block(BlockType::Empty)];
    let branch = vec![Instruction::LocalGet(0), Instruction::BrIf(0)];
    body.extend(vec![branch; branches as usize].concat());
    body.push(Instruction::End);
    BotSections::with_many(functions, &function(1, &body))
}

/// Data segments with this many bytes each, which are copied when an instance starts.
pub(super) fn data_segments(count: u32, bytes: u32) -> Vec<u8> {
    let mut bot = BotSections::new();
    bot.add_data(count, bytes);
    bot.module().finish()
}

/// Data segments that are counted before the code. Operators may refer to them, so the judge cannot
/// join them.
pub(super) fn counted_data(count: u32) -> Vec<u8> {
    let mut bot = BotSections { counts_data: true, ..BotSections::new() };
    bot.add_data(count, 1);
    bot.module().finish()
}

/// Data segments that are never used.
pub(super) fn passive_data(count: u32) -> Vec<u8> {
    let mut bot = BotSections::new();
    for _ in 0..count {
        bot.data.passive(*b"");
    }
    bot.module().finish()
}

/// Empty element segments.
pub(super) fn element_segments(count: u32) -> Vec<u8> {
    let mut bot = BotSections::new();
    bot.table();
    for _ in 0..count {
        bot.elements.active(None, &ConstExpr::i32_const(0), Elements::Functions((&[][..]).into()));
    }
    bot.module().finish()
}

/// Functions with unused local variables. None if the type is unknown.
pub(super) fn idle(kind: &str, functions: u32, locals: u32) -> Option<Vec<u8>> {
    let kind = match kind {
        "i32" => ValType::I32,
        "i64" => ValType::I64,
        "v128" => ValType::V128,
        _ => return None,
    };
    let mut function = Function::new([(locals, kind)]);
    function.instruction(&Instruction::End);
    Some(BotSections::with_many(functions, &function))
}

/// A function that repeats one operator this many times, each on the previous result. Inputs are
/// loaded from memory and results stored there, so that nothing is constant or optimized away. None
/// if the operator is unknown.
fn link(operator: &str, count: u32) -> Option<Function> {
    let at = MemArg { offset: 16, align: 0, memory_index: 0 };
    let get = Instruction::LocalGet(0);
    let (load, step, store) = match operator {
        "f64.sqrt" => {
            (Instruction::F64Load(at), vec![Instruction::F64Sqrt], Instruction::F64Store(at))
        }
        "f64.promote_f32" => (
            Instruction::F64Load(at),
            vec![Instruction::F32DemoteF64, Instruction::F64PromoteF32],
            Instruction::F64Store(at),
        ),
        "i32.rotl" => (
            Instruction::I32Load(at),
            vec![get.clone(), Instruction::I32Rotl],
            Instruction::I32Store(at),
        ),
        "i8x16.popcnt" => {
            (Instruction::V128Load(at), vec![Instruction::I8x16Popcnt], Instruction::V128Store(at))
        }
        "i32x4.trunc_sat_f32x4_u" => (
            Instruction::V128Load(at),
            vec![Instruction::I32x4TruncSatF32x4U],
            Instruction::V128Store(at),
        ),
        "table.copy" => {
            let copy = Instruction::TableCopy { src_table: 0, dst_table: 0 };
            let step = vec![get.clone(), get.clone(), get.clone(), copy];
            (Instruction::I32Load(at), step, Instruction::I32Store(at))
        }
        _ => return None,
    };
    let zero = Instruction::I32Const(0);
    let variable = vec![zero.clone(), Instruction::I32Load(at), Instruction::LocalSet(0)];
    let steps = vec![step; count as usize].concat();
    Some(function(1, &[variable, vec![zero.clone(), zero, load], steps, vec![store]].concat()))
}

/// Functions with such chains.
pub(super) fn chains(operator: &str, functions: u32, count: u32) -> Option<Vec<u8>> {
    let mut bot = BotSections::new();
    bot.table();
    bot.add(functions, &link(operator, count)?);
    Some(bot.module().finish())
}

/// Small functions on vectors, one long chain of square roots, and empty data segments. Together
/// they need more memory than each kind by itself.
pub(super) fn together(functions: u32, roots: u32, segments: u32) -> Option<Vec<u8>> {
    let mut bot = BotSections::new();
    bot.add(functions, &link("i8x16.popcnt", 500)?);
    bot.add(1, &link("f64.sqrt", roots)?);
    bot.add_data(segments, 0);
    Some(bot.module().finish())
}

/// Adds one to a local variable, and leaves the sum on the stack.
fn step(local: u32) -> [Instruction<'static>; 4] {
    [
        Instruction::LocalGet(local),
        Instruction::I32Const(1),
        Instruction::I32Add,
        Instruction::LocalTee(local),
    ]
}

/// Stores the sum of all local variables, so that none is optimized away.
fn sum(locals: u32) -> Vec<Instruction<'static>> {
    let mut body = vec![Instruction::I32Const(0), Instruction::I32Const(0)];
    for local in 0..locals {
        body.extend([Instruction::LocalGet(local), Instruction::I32Add]);
    }
    body.push(Instruction::I32Store(MemArg { offset: 0, align: 2, memory_index: 0 }));
    body
}
