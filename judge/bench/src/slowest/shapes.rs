//! Contents of functions: each shape is a unit of code that leaves the stack unchanged and is
//! repeated up to the size of a function.

use std::borrow::Cow;
use std::sync::LazyLock;

use wasm_encoder::Instruction::{self, *};
use wasm_encoder::{BlockType, MemArg};

use super::genome::FunctionKind;
use super::module::{EIGHT_TO_EIGHT, HELPER_EIGHT, HELPER_MANY, MANY_PARAMETERS};
use crate::operators::{self, Filling, Places};

/// A unit of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Empty: only the function's frame counts.
    Empty,
    Adds,
    Constants,
    Doubling,
    LiveValues,
    Reads,
    Writes,
    Branches,
    BranchesWithValues,
    BranchesOverWrites,
    BranchesOut,
    /// Branches to one place, before and after every local variable gets another value.
    Meetings,
    /// The same with jump tables.
    MeetingTables,
    /// A loop in which all local variables rotate before a row of pieces that a jump table leads
    /// to.
    ChangingPlaces,
    /// A block with many exits before every local variable is written.
    Ways,
    Joins,
    Diamonds,
    NestedDiamonds,
    Loops,
    LoopsOverReads,
    LoopNests,
    Tables,
    TablesWithValues,
    BackwardTables,
    BlocksWithValues,
    Returns,
    Selects,
    Divisions,
    Roundings,
    Conversions,
    FloatSums,
    Shuffles,
    Swizzles,
    LaneShifts,
    VectorConversions,
    Loads,
    FarLoads,
    Stores,
    Globals,
    Calls,
    CallsWithValues,
    CallsWithManyValues,
    IndirectCalls,
    References,
    TableAccesses,
    Bulk,
    Grows,
    /// One operator of [`fillings`], by its index, repeated.
    Operator(usize),
}

/// The repetition of each operator.
pub(super) fn fillings() -> &'static [Filling] {
    static ALL: LazyLock<Vec<Filling>> = LazyLock::new(operators::fillings);
    &ALL
}

impl Shape {
    /// All shapes: those made by hand, then one for each operator.
    pub(super) fn all() -> Vec<Shape> {
        let each = (0..fillings().len()).map(Shape::Operator);
        Shape::BY_HAND.into_iter().chain(each).collect()
    }

    /// The name of the shape.
    pub(super) fn name(self) -> String {
        match self {
            Shape::Operator(number) => format!("{} alone", fillings()[number].entry().name),
            shape => format!("{shape:?}"),
        }
    }

    /// Those made by hand.
    pub(super) const BY_HAND: [Shape; 47] = [
        Shape::Empty,
        Shape::Adds,
        Shape::Constants,
        Shape::Doubling,
        Shape::LiveValues,
        Shape::Reads,
        Shape::Writes,
        Shape::Branches,
        Shape::BranchesWithValues,
        Shape::BranchesOverWrites,
        Shape::BranchesOut,
        Shape::Meetings,
        Shape::MeetingTables,
        Shape::ChangingPlaces,
        Shape::Ways,
        Shape::Joins,
        Shape::Diamonds,
        Shape::NestedDiamonds,
        Shape::Loops,
        Shape::LoopsOverReads,
        Shape::LoopNests,
        Shape::Tables,
        Shape::TablesWithValues,
        Shape::BackwardTables,
        Shape::BlocksWithValues,
        Shape::Returns,
        Shape::Selects,
        Shape::Divisions,
        Shape::Roundings,
        Shape::Conversions,
        Shape::FloatSums,
        Shape::Shuffles,
        Shape::Swizzles,
        Shape::LaneShifts,
        Shape::VectorConversions,
        Shape::Loads,
        Shape::FarLoads,
        Shape::Stores,
        Shape::Globals,
        Shape::Calls,
        Shape::CallsWithValues,
        Shape::CallsWithManyValues,
        Shape::IndirectCalls,
        Shape::References,
        Shape::TableAccesses,
        Shape::Bulk,
        Shape::Grows,
    ];

    /// Unit number `number` of a function with at least one local of type `i32`.
    pub(super) fn unit(self, number: u32, part: &FunctionKind) -> Vec<Instruction<'static>> {
        let (width, locals) = (part.width, part.locals.max(1));
        let local = |offset: u32| (number.wrapping_mul(width | 1).wrapping_add(offset)) % locals;
        let (a, b) = (local(0), local(1));
        let empty = BlockType::Empty;
        match self {
            Shape::Empty => vec![],
            Shape::Adds => vec![LocalGet(a), LocalGet(b), I32Add, LocalSet(a)],
            Shape::Constants => vec![I64Const(0x1234_5678_9abc + i64::from(number)), Drop],
            Shape::Doubling => repeat(width, &[LocalGet(a), LocalGet(a), I32Mul, LocalSet(a)]),
            Shape::LiveValues => live_values(width, locals, number),
            Shape::Reads => reads(width.min(locals), a, locals),
            Shape::Writes => vec![I32Const(number as i32), LocalSet(a)],
            Shape::Branches => vec![LocalGet(a), BrIf(0)],
            Shape::BranchesWithValues => branch_with_values(a),
            Shape::BranchesOverWrites => vec![LocalGet(a), BrIf(0), LocalGet(a), LocalSet(b)],
            Shape::BranchesOut => {
                let depth = (part.loops + part.blocks).max(1);
                vec![LocalGet(a), BrIf(number % depth), LocalGet(a), LocalSet(b)]
            }
            Shape::Meetings => {
                meeting(locals, &vec![[LocalGet(a), BrIf(0)]; width as usize].concat())
            }
            Shape::MeetingTables => meeting(locals, &skipped_table(width, a)),
            Shape::Ways => ways(locals, width, a),
            Shape::ChangingPlaces => changing_places(locals, width.clamp(1, 1000), a, b),
            Shape::Joins => {
                vec![Block(empty), LocalGet(a), BrIf(0), LocalGet(a), LocalSet(b), End]
            }
            Shape::Diamonds => diamond(a, b, 1),
            Shape::NestedDiamonds => diamond(a, b, width.min(30)),
            Shape::Loops => vec![Loop(empty), I32Const(0), LocalTee(a), BrIf(0), End],
            Shape::LoopsOverReads => {
                let mut unit = vec![Loop(empty)];
                unit.extend(reads(width.min(locals), a, locals));
                unit.extend([LocalGet(b), BrIf(0), End]);
                unit
            }
            Shape::LoopNests => nest(width.min(60), a, b),
            Shape::Tables => table(width, a, 1),
            Shape::TablesWithValues => table_with_values(width, a),
            Shape::BackwardTables => backward_table(width, a, b),
            Shape::BlocksWithValues => blocks_with_values(width),
            Shape::Returns => vec![Block(empty), LocalGet(a), BrIf(0), Return, End],
            Shape::Selects => vec![LocalGet(a), LocalGet(b), LocalGet(a), Select, LocalSet(b)],
            Shape::Divisions => {
                vec![LocalGet(a), LocalGet(b), I32DivS, LocalGet(b), I32RemS, LocalSet(b)]
            }
            Shape::Roundings => floats(a, b, &[F64Nearest]),
            Shape::Conversions => floats(a, b, &[I64TruncSatF64U, F64ConvertI64U]),
            Shape::FloatSums => floats(a, b, &[LocalGet(b), F64ConvertI32S, F64Min, F64Sqrt]),
            Shape::Shuffles => {
                let lanes = std::array::from_fn(|lane| ((number as usize + lane * 7) % 32) as u8);
                vector(a, b, &[LocalGet(b), I32x4Splat, I8x16Shuffle(lanes)])
            }
            Shape::Swizzles => vector(a, b, &[LocalGet(b), I8x16Splat, I8x16Swizzle, I8x16Popcnt]),
            Shape::LaneShifts => vector(a, b, &[LocalGet(b), I8x16ShrS, LocalGet(b), I64x2ShrS]),
            Shape::VectorConversions => {
                vector(a, b, &[I32x4TruncSatF32x4U, F32x4ConvertI32x4U, F32x4Nearest])
            }
            Shape::Loads => loads(a, b, near(number)),
            Shape::FarLoads => loads(a, b, far(number)),
            Shape::Stores => vec![LocalGet(a), LocalGet(b), I32Store8(far(number))],
            Shape::Globals => vec![GlobalGet(0), LocalGet(a), I32Add, GlobalSet(0)],
            Shape::Calls => vec![Call(width % 2)],
            Shape::CallsWithValues => calls_with_values(width),
            Shape::CallsWithManyValues => calls_with_many_values(a, locals),
            Shape::IndirectCalls => {
                vec![LocalGet(a), CallIndirect { type_index: 0, table_index: 0 }, LocalSet(b)]
            }
            Shape::References => vec![RefFunc(0), RefIsNull, LocalSet(a)],
            Shape::TableAccesses => vec![LocalGet(a), LocalGet(b), TableGet(0), TableSet(0)],
            Shape::Bulk => bulk(a),
            Shape::Grows => vec![LocalGet(a), MemoryGrow(0), LocalSet(b)],
            Shape::Operator(filling) => {
                operator(&fillings()[filling], number, width, Places(locals))
            }
        }
    }
}

/// A row of one operator; the last result is used.
fn operator(
    filling: &Filling,
    number: u32,
    width: u32,
    places: Places,
) -> Vec<Instruction<'static>> {
    let count = width.clamp(1, 600);
    let mut unit = filling.begin(places);
    for offset in 0..count {
        unit.extend(filling.unit(number.wrapping_mul(count).wrapping_add(offset), places));
    }
    unit.extend(filling.end(places));
    unit
}

/// A block with the same jumps out of it before and after all locals are written.
fn meeting(locals: u32, jumps: &[Instruction<'static>]) -> Vec<Instruction<'static>> {
    let mut unit = vec![Block(BlockType::Empty)];
    unit.extend_from_slice(jumps);
    for local in 0..locals {
        unit.extend([I32Const(local as i32), LocalSet(local)]);
    }
    unit.extend_from_slice(jumps);
    unit.push(End);
    unit
}

fn ways(locals: u32, count: u32, local: u32) -> Vec<Instruction<'static>> {
    let mut unit = vec![Block(BlockType::Empty)];
    unit.extend(vec![[LocalGet(local), BrIf(0)]; count as usize].concat());
    for local in 0..locals {
        unit.extend([I32Const(8 * local as i32), I32Load(near(local)), LocalSet(local)]);
    }
    unit.push(End);
    unit
}

/// In the first of the pieces that a table leads to, every variable gets its neighbor's value, so
/// that old and new values meet at each of the other pieces.
fn changing_places(locals: u32, pieces: u32, a: u32, b: u32) -> Vec<Instruction<'static>> {
    let empty = BlockType::Empty;
    // Values that the compiler does not know, because otherwise nothing would change.
    let mut unit: Vec<_> = (0..locals)
        .flat_map(|local| [I32Const(8 * local as i32), I32Load(near(local)), LocalSet(local)])
        .collect();
    unit.push(Loop(empty));
    unit.extend(vec![Block(empty); pieces as usize + 1]);
    unit.extend([LocalGet(a), BrTable(Cow::Owned((0..pieces).collect()), pieces), End]);
    unit.extend((0..locals).map(|local| LocalGet((local + 1) % locals)));
    unit.extend((0..locals).rev().map(LocalSet));
    unit.extend(vec![End; pieces as usize]);
    unit.extend([LocalGet(b), BrIf(0), End]);
    unit
}

/// A jump table out of the enclosing block, or to the code after it.
fn skipped_table(width: u32, local: u32) -> Vec<Instruction<'static>> {
    let out = BrTable(Cow::Owned(vec![1; width.max(1) as usize]), 1);
    vec![Block(BlockType::Empty), LocalGet(local), BrIf(0), LocalGet(local), out, End]
}

fn repeat(times: u32, step: &[Instruction<'static>]) -> Vec<Instruction<'static>> {
    vec![step; times.clamp(1, 200) as usize].concat()
}

/// Values that are all on the stack before the first is used.
fn live_values(width: u32, locals: u32, number: u32) -> Vec<Instruction<'static>> {
    let count = width.clamp(2, 3000);
    let mut unit = Vec::new();
    for value in 0..count {
        unit.extend([I32Const((value * 8) as i32), I32Load(near(number + value))]);
    }
    unit.extend(vec![I32Add; count as usize - 1]);
    unit.push(LocalSet(number % locals));
    unit
}

fn calls_with_many_values(first: u32, locals: u32) -> Vec<Instruction<'static>> {
    let mut unit: Vec<_> =
        (0..MANY_PARAMETERS).map(|offset| LocalGet((first + offset) % locals)).collect();
    unit.push(Call(HELPER_MANY));
    unit.extend(vec![Drop; 8]);
    unit
}

/// A number as a float, changed step by step.
fn floats(a: u32, b: u32, step: &[Instruction<'static>]) -> Vec<Instruction<'static>> {
    let mut unit = vec![LocalGet(a), F64ConvertI32S];
    unit.extend(repeat(30, step));
    unit.extend([I32TruncSatF64S, LocalSet(b)]);
    unit
}

/// Loads, each from the address that the previous one gave.
fn loads(a: u32, b: u32, from: MemArg) -> Vec<Instruction<'static>> {
    let mut unit = vec![LocalGet(a)];
    unit.extend(vec![I32Load(from); 30]);
    unit.push(LocalSet(b));
    unit
}

/// Adds some locals into one of them.
fn reads(count: u32, first: u32, locals: u32) -> Vec<Instruction<'static>> {
    let mut unit = vec![LocalGet(first)];
    for offset in 1..count {
        unit.extend([LocalGet((first + offset) % locals), I32Add]);
    }
    unit.push(LocalSet(first));
    unit
}

fn eight(local: u32) -> Vec<Instruction<'static>> {
    repeat(8, &[LocalGet(local), I64ExtendI32U])
}

fn branch_with_values(local: u32) -> Vec<Instruction<'static>> {
    let mut unit = eight(local);
    unit.push(Block(BlockType::FunctionType(EIGHT_TO_EIGHT)));
    unit.extend(repeat(40, &[LocalGet(local), BrIf(0)]));
    unit.push(End);
    unit.extend(vec![Drop; 8]);
    unit
}

fn blocks_with_values(width: u32) -> Vec<Instruction<'static>> {
    let mut unit = vec![I64Const(1); 8];
    let block = [Block(BlockType::FunctionType(EIGHT_TO_EIGHT)), I32Const(1), BrIf(0), End];
    unit.extend(repeat(width, &block));
    unit.extend(vec![Drop; 8]);
    unit
}

fn calls_with_values(width: u32) -> Vec<Instruction<'static>> {
    [vec![I64Const(1); 8], repeat(width, &[Call(HELPER_EIGHT)]), vec![Drop; 8]].concat()
}

fn diamond(a: u32, b: u32, depth: u32) -> Vec<Instruction<'static>> {
    let mut unit = Vec::new();
    for _ in 0..depth {
        unit.extend([LocalGet(a), If(BlockType::Empty), LocalGet(b), LocalSet(a), Else]);
        unit.extend([LocalGet(a), I32Const(1), I32Add, LocalSet(b)]);
    }
    unit.extend(vec![End; depth as usize]);
    unit
}

/// Nested loops that change two variables.
fn nest(depth: u32, a: u32, b: u32) -> Vec<Instruction<'static>> {
    let mut unit = vec![Loop(BlockType::Empty); depth.max(1) as usize];
    unit.extend([LocalGet(a), LocalGet(b), I32Add, LocalSet(a)]);
    unit.extend(repeat(depth, &[LocalGet(a), BrIf(0), End]));
    unit
}

fn table(width: u32, local: u32, depth: u32) -> Vec<Instruction<'static>> {
    let targets: Vec<u32> = (0..width.max(1)).map(|target| target % depth).collect();
    let mut unit = vec![Block(BlockType::Empty); depth as usize];
    unit.extend([LocalGet(local), BrTable(Cow::Owned(targets), 0)]);
    unit.extend(vec![End; depth as usize]);
    unit
}

/// A branch with many targets, each of which gets eight values.
fn table_with_values(width: u32, local: u32) -> Vec<Instruction<'static>> {
    let mut unit = eight(local);
    let block = Block(BlockType::FunctionType(EIGHT_TO_EIGHT));
    unit.extend([block.clone(), block]);
    let targets: Vec<u32> = (0..width.max(1)).map(|target| target % 2).collect();
    unit.extend([LocalGet(local), BrTable(Cow::Owned(targets), 0), End, End]);
    unit.extend(vec![Drop; 8]);
    unit
}

/// Loops that the innermost can enter again: the closest code to a jump anywhere.
fn backward_table(width: u32, a: u32, b: u32) -> Vec<Instruction<'static>> {
    let depth = width.clamp(1, 30);
    let mut unit = Vec::new();
    for _ in 0..depth {
        unit.extend([Loop(BlockType::Empty), Block(BlockType::Empty)]);
    }
    let targets: Vec<u32> = (0..2 * depth).collect();
    unit.extend([LocalGet(a), LocalSet(b), LocalGet(a), BrTable(Cow::Owned(targets), 0)]);
    for _ in 0..depth {
        unit.extend([End, LocalGet(b), I32Const(1), I32Add, LocalSet(a), End]);
    }
    unit
}

fn vector(a: u32, b: u32, step: &[Instruction<'static>]) -> Vec<Instruction<'static>> {
    let mut unit = vec![LocalGet(a), I32x4Splat];
    unit.extend(repeat(20, step));
    unit.extend([I32x4ExtractLane(1), LocalSet(b)]);
    unit
}

fn bulk(local: u32) -> Vec<Instruction<'static>> {
    let three = [LocalGet(local), LocalGet(local), LocalGet(local)];
    let mut unit = Vec::new();
    for operator in [MemoryFill(0), MemoryCopy { src_mem: 0, dst_mem: 0 }] {
        unit.extend(three.clone());
        unit.push(operator);
    }
    unit
}

fn near(number: u32) -> MemArg {
    MemArg { offset: u64::from(number % 1000) * 4, align: 2, memory_index: 0 }
}

/// So far that the reserved address space does not replace a bounds check.
fn far(number: u32) -> MemArg {
    MemArg { offset: 0xffff_0000 + u64::from(number % 1000), align: 0, memory_index: 0 }
}
