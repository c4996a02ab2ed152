//! Rewrites one function: the places of its charges and checks are those of wasmtime's compiler.

use wasm_encoder::reencode::{Reencode as _, RoundtripReencoder};
use wasm_encoder::{BlockType, Function, Ieee32, Ieee64, Instruction as I, ValType};
use wasmparser::{FunctionBody, Operator};

use crate::costs::{TABLE_COPY_ELEMENT, cost};
use crate::encode::Code;
use crate::error::MeterError;
use crate::layout::{Global, Layout, bulk, state};

/// Largest known cost of a bulk operator that needs no check.
const SMALL: u64 = 128;

/// Fuel of entering a function.
const ENTRY: u64 = 1;

/// Bits of the canonical NaN.
const NAN_32: u32 = 0x7fc0_0000;
const NAN_64: u64 = 0x7ff8_0000_0000_0000;

/// Knowledge about the value on top of the stack. The sandbox's compiler may also know a constant
/// that comes through locals and blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Top {
    /// A constant.
    Known(u32),
    /// A computed value, which no compiler takes for a constant.
    Computed,
    /// Either.
    Unclear,
}

/// A function while it is rewritten.
struct Body<'a> {
    code: Code<'a>,
    /// Fuel of the operators since the last charge.
    pending: u64,
    /// Knowledge about the value on top of the stack.
    top: Top,
    /// Blocks around this place, without the one around the body.
    depth: u32,
    /// Index of the first added local.
    first_scratch: u32,
    /// Types of the added locals.
    scratch: Vec<ValType>,
}

/// Returns the body with that number, rewritten.
pub(crate) fn rewrite(
    layout: &Layout,
    number: usize,
    body: &FunctionBody<'_>,
    height: u32,
) -> Result<Function, MeterError> {
    let (mut locals, mut count) = (Vec::new(), layout.parameters_of(number));
    for group in body.get_locals_reader()? {
        let (size, kind) = group?;
        let kind = RoundtripReencoder.val_type(kind);
        locals.push((size, kind.map_err(|_| MeterError::Locals(number as u32))?));
        count += size;
    }
    let mut rewriting = Body {
        code: Code::new(layout),
        pending: ENTRY,
        top: Top::Unclear,
        depth: 0,
        first_scratch: count,
        scratch: Vec::new(),
    };
    rewriting.enter(height);
    rewriting.check();
    rewriting.code.add(&[I::Block(layout.block_of(number))]);
    rewriting.operators(body)?;
    rewriting.leave(height);
    locals.extend(rewriting.scratch.iter().map(|kind| (1, *kind)));
    let mut function = Function::new(locals);
    function.raw(rewriting.code.bytes);
    Ok(function)
}

impl Body<'_> {
    /// Takes the height from the virtual stack.
    fn enter(&mut self, height: u32) {
        self.code.get(Global::Stack);
        self.code.add(&[I::I32Const(height as i32), I::I32Sub]);
        self.code.set(Global::Stack);
        self.code.get(Global::Stack);
        let overflow = I::Call(self.code.layout.overflow());
        self.code.add(&[I::I32Const(0), I::I32LtS, I::If(BlockType::Empty), overflow, I::End]);
    }

    /// Gives the height back. Every way out of the body leads here, through the block around it.
    fn leave(&mut self, height: u32) {
        self.code.get(Global::Stack);
        self.code.add(&[I::I32Const(height as i32), I::I32Add]);
        self.code.set(Global::Stack);
        self.code.add(&[I::End]);
    }

    fn operators(&mut self, body: &FunctionBody<'_>) -> Result<(), MeterError> {
        let mut reader = body.get_operators_reader()?;
        let (start, bytes) = (body.range().start, body.as_bytes());
        while !reader.eof() {
            let from = reader.original_position();
            let operator = reader.read()?;
            let original = &bytes[from - start..reader.original_position() - start];
            self.operator(&operator, original);
            self.top = top(&operator);
        }
        Ok(())
    }

    fn operator(&mut self, operator: &Operator<'_>, original: &[u8]) {
        self.pending += u64::from(cost(operator));
        match operator {
            Operator::MemoryGrow { .. } => self.grow(self.code.layout.grow_memory()),
            Operator::TableGrow { table } => self.grow(self.code.layout.grow_table(*table)),
            _ => match bulk_cost(operator) {
                Some((kind, price)) => self.bulk(kind, price, original),
                None => self.plain(operator, original),
            },
        }
    }

    fn plain(&mut self, operator: &Operator<'_>, original: &[u8]) {
        if ends_block(operator) {
            self.charge();
        }
        match operator {
            // The body is inside of one more block.
            Operator::Return => self.code.add(&[I::Br(self.depth)]),
            _ => self.code.bytes.extend_from_slice(original),
        }
        match operator {
            Operator::Block { .. } | Operator::If { .. } => self.depth += 1,
            Operator::Loop { .. } => {
                self.depth += 1;
                self.check();
            }
            Operator::End => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if let Some(kind) = float_result(operator) {
            self.canonical(kind);
        }
    }

    /// Takes the pending fuel.
    fn charge(&mut self) {
        if self.pending > 0 {
            self.code.get(Global::Fuel);
            self.take_pending();
            self.code.set(Global::Fuel);
        }
    }

    /// Subtracts the pending fuel from the value on the stack.
    fn take_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.code.add(&[I::I64Const(pending as i64), I::I64Sub]);
    }

    /// Takes the pending fuel, and looks whether any is left.
    fn check(&mut self) {
        self.charge();
        self.if_empty();
        self.code.add(&[I::Call(self.code.layout.stop()), I::End]);
    }

    /// A growth: the sandbox checks before one of unknown size.
    fn grow(&mut self, function: u32) {
        match self.top {
            Top::Known(_) => {}
            Top::Computed => self.check(),
            Top::Unclear => {
                self.charge();
                self.if_empty();
                self.code.note(state::DOUBT);
                self.code.add(&[I::End]);
            }
        }
        self.code.add(&[I::Call(function)]);
    }

    /// An operator on many bytes or elements, with its length on top of the stack.
    fn bulk(&mut self, kind: i32, price: u8, original: &[u8]) {
        self.mark(kind);
        match self.top {
            Top::Known(length) => {
                let known = u64::from(length) * u64::from(price);
                self.pending += known;
                if known > SMALL {
                    self.check();
                }
            }
            Top::Computed => {
                self.charge_length(price);
                self.check();
            }
            Top::Unclear => {
                let length = self.charge_length(price);
                self.check_above(length, SMALL as i32 / i32::from(price));
            }
        }
        self.code.bytes.extend_from_slice(original);
        self.mark(bulk::NONE);
    }

    /// A check of a length above `small`. The sandbox may leave out that of a smaller one, so this
    /// is noted.
    fn check_above(&mut self, length: u32, small: i32) {
        self.if_empty();
        self.code.add(&[I::LocalGet(length), I::I32Const(small), I::I32GtU]);
        let stop = I::Call(self.code.layout.stop());
        self.code.add(&[I::If(BlockType::Empty), stop, I::Else]);
        self.code.note(state::DOUBT);
        self.code.add(&[I::End, I::End]);
    }

    /// Opens a block for an empty tank.
    fn if_empty(&mut self) {
        self.code.get(Global::Fuel);
        self.code.add(&[I::I64Const(0), I::I64LeS, I::If(BlockType::Empty)]);
    }

    fn mark(&mut self, kind: i32) {
        self.code.add(&[I::I32Const(kind)]);
        self.code.set(Global::Bulk);
    }

    /// Takes the pending fuel and that of the length on top of the stack; returns the length's local.
    fn charge_length(&mut self, price: u8) -> u32 {
        let length = self.scratch(ValType::I32);
        self.code.add(&[I::LocalTee(length)]);
        self.code.get(Global::Fuel);
        self.take_pending();
        self.code.add(&[I::LocalGet(length), I::I64ExtendI32U]);
        self.code.add(&[I::I64Const(i64::from(price)), I::I64Mul, I::I64Sub]);
        self.code.set(Global::Fuel);
        length
    }

    /// The added local of this type.
    fn scratch(&mut self, kind: ValType) -> u32 {
        let known = self.scratch.iter().position(|other| *other == kind);
        let place = known.unwrap_or_else(|| {
            self.scratch.push(kind);
            self.scratch.len() - 1
        });
        self.first_scratch + place as u32
    }

    /// Replaces a NaN on top of the stack by the canonical one.
    fn canonical(&mut self, float: Float) {
        let value = self.scratch(float.holder());
        let (nan, differs, choose) = float.instructions();
        let get = I::LocalGet(value);
        self.code.add(&[I::LocalSet(value), nan, get.clone(), get.clone(), get, differs, choose]);
    }
}

/// Kind of float in the result of an operator.
#[derive(Clone, Copy)]
enum Float {
    F32,
    F64,
    F32x4,
    F64x2,
}

impl Float {
    fn holder(self) -> ValType {
        match self {
            Float::F32 => ValType::F32,
            Float::F64 => ValType::F64,
            Float::F32x4 | Float::F64x2 => ValType::V128,
        }
    }

    /// The canonical NaN, the comparison and the choice between NaN and value.
    fn instructions(self) -> (I<'static>, I<'static>, I<'static>) {
        let wide = |nan: u128| I::V128Const(nan as i128);
        let (half, quarter) = (u128::from(NAN_64), u128::from(NAN_32));
        match self {
            Float::F32 => (I::F32Const(Ieee32::new(NAN_32)), I::F32Ne, I::Select),
            Float::F64 => (I::F64Const(Ieee64::new(NAN_64)), I::F64Ne, I::Select),
            Float::F32x4 => {
                let nan = quarter | quarter << 32 | quarter << 64 | quarter << 96;
                (wide(nan), I::F32x4Ne, I::V128Bitselect)
            }
            Float::F64x2 => (wide(half | half << 64), I::F64x2Ne, I::V128Bitselect),
        }
    }
}

/// True where control may go elsewhere, so that the fuel so far is taken first.
fn ends_block(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::Unreachable
            | Operator::Return
            | Operator::Call { .. }
            | Operator::CallIndirect { .. }
            | Operator::Loop { .. }
            | Operator::If { .. }
            | Operator::Br { .. }
            | Operator::BrIf { .. }
            | Operator::BrTable { .. }
            | Operator::End
            | Operator::Else
    )
}

/// Knowledge about the result of an operator.
fn top(operator: &Operator<'_>) -> Top {
    match operator {
        Operator::I32Const { value } => Top::Known(*value as u32),
        Operator::I32Load { .. }
        | Operator::I32Load8U { .. }
        | Operator::I32Load16U { .. }
        | Operator::I32Add
        | Operator::I32Sub
        | Operator::I32Mul
        | Operator::I32And
        | Operator::I32Or
        | Operator::I32Shl
        | Operator::I32ShrU
        | Operator::I32WrapI64 => Top::Computed,
        _ => Top::Unclear,
    }
}

/// The kind of a bulk operator, and its fuel for each byte or element.
fn bulk_cost(operator: &Operator<'_>) -> Option<(i32, u8)> {
    match operator {
        Operator::MemoryCopy { .. } | Operator::MemoryFill { .. } | Operator::MemoryInit { .. } => {
            Some((bulk::MEMORY, 1))
        }
        Operator::TableFill { .. } | Operator::TableInit { .. } => Some((bulk::TABLE, 1)),
        Operator::TableCopy { .. } => Some((bulk::TABLE, TABLE_COPY_ELEMENT)),
        _ => None,
    }
}

/// The kind of float that an operator computes, if its NaN bits differ between processors.
fn float_result(operator: &Operator<'_>) -> Option<Float> {
    use Operator as O;
    Some(match operator {
        O::F32Add
        | O::F32Sub
        | O::F32Mul
        | O::F32Div
        | O::F32Min
        | O::F32Max
        | O::F32Sqrt
        | O::F32Ceil
        | O::F32Floor
        | O::F32Trunc
        | O::F32Nearest
        | O::F32DemoteF64 => Float::F32,
        O::F64Add
        | O::F64Sub
        | O::F64Mul
        | O::F64Div
        | O::F64Min
        | O::F64Max
        | O::F64Sqrt
        | O::F64Ceil
        | O::F64Floor
        | O::F64Trunc
        | O::F64Nearest
        | O::F64PromoteF32 => Float::F64,
        O::F32x4Add
        | O::F32x4Sub
        | O::F32x4Mul
        | O::F32x4Div
        | O::F32x4Min
        | O::F32x4Max
        | O::F32x4Sqrt
        | O::F32x4Ceil
        | O::F32x4Floor
        | O::F32x4Trunc
        | O::F32x4Nearest
        | O::F32x4DemoteF64x2Zero => Float::F32x4,
        O::F64x2Add
        | O::F64x2Sub
        | O::F64x2Mul
        | O::F64x2Div
        | O::F64x2Min
        | O::F64x2Max
        | O::F64x2Sqrt
        | O::F64x2Ceil
        | O::F64x2Floor
        | O::F64x2Trunc
        | O::F64x2Nearest
        | O::F64x2PromoteLowF32x4 => Float::F64x2,
        _ => return None,
    })
}
