//! Functions that the rewritten module calls instead of rare or long pieces of code.

use wasm_encoder::{BlockType, Function, Instruction as I, ValType};

use crate::MAX_TABLE_ELEMENTS;
use crate::encode::Code;
use crate::layout::{Global, Layout, state};

/// The tank is empty: notes it, and stops the module when its rest is used up as well.
pub(crate) fn stop(layout: &Layout) -> Function {
    let mut code = Code::new(layout);
    code.get(Global::Fuel);
    code.get(Global::Rest);
    code.add(&[I::I64Add, I::I64Const(0), I::I64LeS, I::If(BlockType::Empty)]);
    code.note(state::STOPPED);
    code.add(&[I::Unreachable, I::End]);
    code.note(state::OUT);
    finished(code, [])
}

/// The virtual stack is used up: notes it, and stops the module.
pub(crate) fn overflow(layout: &Layout) -> Function {
    let mut code = Code::new(layout);
    code.note(state::OVERFLOW);
    code.add(&[I::Unreachable]);
    finished(code, [])
}

/// `(pages) -> old size, or -1`: `memory.grow` within the limit.
pub(crate) fn grow_memory(layout: &Layout) -> Function {
    let mut code = Code::new(layout);
    let most = layout.most_pages.unwrap_or(1 << 16) as i64;
    code.add(&[I::MemorySize(0), I::I64ExtendI32U, I::LocalGet(0), I::I64ExtendI32U, I::I64Add]);
    code.add(&[I::LocalTee(1)]);
    code.get(Global::Pages);
    code.add(&[I::I64GtU, I::LocalGet(1), I::I64Const(most), I::I64GtU, I::I32Or]);
    code.add(&[I::If(BlockType::Empty)]);
    code.note(state::REFUSED);
    code.add(&[I::I32Const(-1), I::Return, I::End]);
    code.add(&[I::LocalGet(0), I::MemoryGrow(0), I::LocalTee(0)]);
    grown(&mut code);
    code.add(&[I::LocalGet(0)]);
    finished(code, [(1, ValType::I64)])
}

/// `(element, count) -> old size, or -1`: `table.grow` within the limit.
pub(crate) fn grow_table(layout: &Layout, table: u32, declared: Option<u64>) -> Function {
    let mut code = Code::new(layout);
    let most = declared.unwrap_or(MAX_TABLE_ELEMENTS).min(MAX_TABLE_ELEMENTS) as i64;
    let full = MAX_TABLE_ELEMENTS as i64;
    code.get(Global::Owed);
    code.add(&[I::LocalGet(1), I::I64ExtendI32U, I::LocalTee(2), I::I64Const(full)]);
    code.add(&[I::LocalGet(2), I::I64Const(full), I::I64LtU, I::Select]);
    code.add(&[I::I64Add]);
    code.set(Global::Owed);
    code.add(&[I::TableSize(table), I::I64ExtendI32U, I::LocalGet(2), I::I64Add]);
    code.add(&[I::I64Const(most), I::I64GtU]);
    code.add(&[I::If(BlockType::Empty), I::I32Const(-1), I::Return, I::End]);
    code.add(&[I::LocalGet(0), I::LocalGet(1), I::TableGrow(table), I::LocalTee(3)]);
    grown(&mut code);
    code.get(Global::Tables);
    code.add(&[I::LocalGet(1), I::I32Add]);
    code.set(Global::Tables);
    code.add(&[I::LocalGet(3)]);
    finished(code, [(1, ValType::I64), (1, ValType::I32)])
}

/// Stops if the engine returned -1: the growth was allowed, so the fault is not the bot's.
fn grown(code: &mut Code<'_>) {
    code.add(&[I::I32Const(-1), I::I32Eq, I::If(BlockType::Empty)]);
    code.note(state::NO_MEMORY);
    code.add(&[I::Unreachable, I::End]);
}

fn finished<const N: usize>(code: Code<'_>, locals: [(u32, ValType); N]) -> Function {
    let mut function = Function::new(locals);
    function.raw(code.bytes);
    function.instruction(&I::End);
    function
}
