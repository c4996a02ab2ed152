//! Looks at one function's body before it is validated or compiled: its size, its local variables
//! and its control flow, which is what makes compiling slow.

use wasmparser::{BinaryReaderError, BlockType, FunctionBody, Operator};

use super::limits::{
    BRANCH_BYTES, MAX_BODY_BYTES, MAX_BRANCHES_TIMES_LOCALS, MAX_CODE_KIB, MAX_LOCALS,
    MAX_LOOP_NESTING, MAX_LOOPS_TIMES_LOCALS, MAX_NESTING, MAX_RESULTS, MAX_SQUARE_KIB,
    MAX_WEIGHT_KIB,
};
use super::refusal::Refusal;
use super::scan::{at_most, malformed};

/// Parameters and results of each function type, by its index.
pub(super) type Arities = Vec<(usize, usize)>;

/// The compiler's work on all functions so far, in the measures that small functions in great
/// number can exceed as well as a few large ones.
#[derive(Default)]
pub(super) struct Work {
    /// Squares of the sizes in bytes.
    squares: u64,
    code: u64,
    weight: u64,
    branches_times_locals: u64,
}

impl Work {
    fn add(&mut self, bytes: usize, variables: u64, flow: &Flow<'_>) -> Result<(), Refusal> {
        let branches = flow.branches + flow.loops;
        let size = bytes as u64 + branches * BRANCH_BYTES;
        self.squares = self.squares.saturating_add(size * size);
        self.code += bytes as u64;
        self.weight += size + flow.heavy;
        self.branches_times_locals += branches * variables;
        at_most("square KiB of functions", self.squares >> 20, MAX_SQUARE_KIB)?;
        at_most("KiB of functions", self.code >> 10, MAX_CODE_KIB)?;
        at_most(
            "KiB of functions, with calls, branches and arithmetic with floats weighing more",
            self.weight >> 10,
            MAX_WEIGHT_KIB,
        )?;
        at_most(
            "branches times local variables",
            self.branches_times_locals,
            MAX_BRANCHES_TIMES_LOCALS,
        )
    }
}

/// Checks the body of function number `function`.
pub(super) fn check(
    function: u32,
    body: &FunctionBody<'_>,
    parameters: usize,
    arities: &Arities,
    work: &mut Work,
) -> Result<(), Refusal> {
    let bytes = body.range().len();
    if bytes > MAX_BODY_BYTES {
        return Err(Refusal::BodyTooLarge { function, bytes });
    }
    let locals = locals(body).map_err(|error| malformed(&error))?;
    if locals > MAX_LOCALS {
        return Err(Refusal::TooManyLocals { function, count: locals });
    }
    let mut flow =
        Flow { arities, open: Vec::new(), loops_open: 0, loops: 0, branches: 0, heavy: 0 };
    for operator in body.get_operators_reader().map_err(|error| malformed(&error))? {
        flow.note(&operator.map_err(|error| malformed(&error))?)?;
    }
    let carried = flow.loops * u64::from(locals.max(1));
    at_most("loops times local variables in one function", carried, MAX_LOOPS_TIMES_LOCALS)?;
    let variables = u64::from(locals) + parameters as u64;
    work.add(bytes, variables, &flow)
}

fn locals(body: &FunctionBody<'_>) -> Result<u32, BinaryReaderError> {
    let mut count: u32 = 0;
    for local in body.get_locals_reader()? {
        count = count.saturating_add(local?.0);
    }
    Ok(count)
}

/// The control flow of a body while it is gone through.
struct Flow<'a> {
    arities: &'a Arities,
    /// The blocks around the present place; true for a loop.
    open: Vec<bool>,
    loops_open: u32,
    /// Loops, each as often as there are loops around it, itself included.
    loops: u64,
    /// Everything but loops that begins or ends a straight piece of code.
    branches: u64,
    /// Weight, in bytes, of operators that become much more code than an addition.
    heavy: u64,
}

impl Flow<'_> {
    fn note(&mut self, operator: &Operator<'_>) -> Result<(), Refusal> {
        self.branches += branches(operator);
        self.heavy += weight(operator);
        match operator {
            Operator::Block { blockty } | Operator::If { blockty } => self.enter(*blockty, false),
            Operator::Loop { blockty } => self.enter(*blockty, true),
            Operator::End => {
                self.loops_open -= u32::from(self.open.pop().unwrap_or(false));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn enter(&mut self, kind: BlockType, is_loop: bool) -> Result<(), Refusal> {
        if let BlockType::FuncType(index) = kind {
            // An index that does not exist is the validator's to refuse.
            let arity = self.arities.get(index as usize).copied().unwrap_or_default();
            at_most(
                "values into or out of a block",
                arity.0.max(arity.1) as u64,
                MAX_RESULTS as u64,
            )?;
        }
        self.open.push(is_loop);
        self.loops_open += u32::from(is_loop);
        // Every loop around may carry the same variables.
        self.loops += if is_loop { self.loops_open.into() } else { 0 };
        at_most("loops inside one another", self.loops_open.into(), MAX_LOOP_NESTING.into())?;
        at_most("blocks inside one another", self.open.len() as u64, MAX_NESTING.into())
    }
}

/// How many ways an operator opens or ends. A table of jumps has one for each entry, also when all
/// lead to the same place.
fn branches(operator: &Operator<'_>) -> u64 {
    match operator {
        Operator::Block { .. }
        | Operator::If { .. }
        | Operator::Else
        | Operator::Br { .. }
        | Operator::BrIf { .. }
        | Operator::Return => 1,
        Operator::BrTable { targets } => 1 + u64::from(targets.len()),
        _ => 0,
    }
}

fn weight(operator: &Operator<'_>) -> u64 {
    match operator {
        Operator::CallIndirect { .. } => 64,
        Operator::Call { .. }
        | Operator::RefFunc { .. }
        | Operator::MemoryGrow { .. }
        | Operator::MemoryFill { .. }
        | Operator::MemoryCopy { .. }
        | Operator::MemoryInit { .. }
        | Operator::TableGet { .. }
        | Operator::TableSet { .. }
        | Operator::TableGrow { .. }
        | Operator::TableFill { .. }
        | Operator::TableCopy { .. }
        | Operator::TableInit { .. } => 32,
        _ if becomes_several(operator) => 8,
        _ => 0,
    }
}

/// Arithmetic with floats: one byte that becomes several instructions, as NaN bits are made
/// canonical and conversions look for numbers out of range.
fn becomes_several(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::F32Ceil
            | Operator::F32Floor
            | Operator::F32Trunc
            | Operator::F32Nearest
            | Operator::F32Sqrt
            | Operator::F64Ceil
            | Operator::F64Floor
            | Operator::F64Trunc
            | Operator::F64Nearest
            | Operator::F64Sqrt
            | Operator::F32Min
            | Operator::F32Max
            | Operator::F64Min
            | Operator::F64Max
            | Operator::F32Add
            | Operator::F32Sub
            | Operator::F32Mul
            | Operator::F32Div
            | Operator::F64Add
            | Operator::F64Sub
            | Operator::F64Mul
            | Operator::F64Div
            | Operator::F32DemoteF64
            | Operator::F64PromoteF32
            | Operator::I32TruncF32S
            | Operator::I32TruncF32U
            | Operator::I32TruncF64S
            | Operator::I32TruncF64U
            | Operator::I64TruncF32S
            | Operator::I64TruncF32U
            | Operator::I64TruncF64S
            | Operator::I64TruncF64U
            | Operator::I32TruncSatF32S
            | Operator::I32TruncSatF32U
            | Operator::I32TruncSatF64S
            | Operator::I32TruncSatF64U
            | Operator::I64TruncSatF32S
            | Operator::I64TruncSatF32U
            | Operator::I64TruncSatF64S
            | Operator::I64TruncSatF64U
            | Operator::F32ConvertI32U
            | Operator::F32ConvertI64U
            | Operator::F64ConvertI32U
            | Operator::F64ConvertI64U
    )
}
