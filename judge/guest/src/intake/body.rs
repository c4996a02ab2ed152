//! Checks of a function's body before validation and compilation: its size, its local variables,
//! its operators and its control flow, which makes compiling slow.

use wasmparser::{BinaryReaderError, BlockType, FunctionBody, Operator, ValType};

use super::limit::{Limit, LimitTally};
use super::limits::{MAX_BODY_BYTES, MAX_LOCALS};
use super::refusal::IntakeRefusal;
use super::scan::malformed;
use super::weights::{self, VALUE};
use super::work::Work;

/// Numbers of parameters and results of each function type, by its index.
pub(super) type Arities = Vec<(usize, usize)>;

/// Function types, known before the bodies.
#[derive(Default)]
pub(super) struct Signatures {
    pub(super) arities: Arities,
    /// The type of each function, imported ones first.
    pub(super) kinds: Vec<u32>,
}

impl Signatures {
    /// Parameters and results of a type. The validator refuses a missing type later.
    pub(super) fn of_type(&self, kind: u32) -> (usize, usize) {
        self.arities.get(kind as usize).copied().unwrap_or_default()
    }

    pub(super) fn of_function(&self, function: u32) -> (usize, usize) {
        self.kinds.get(function as usize).map_or((0, 0), |kind| self.of_type(*kind))
    }
}

pub(super) fn check(
    function: u32,
    body: &FunctionBody<'_>,
    signatures: &Signatures,
    work: &mut Work,
    tally: &mut LimitTally,
) -> Result<(), IntakeRefusal> {
    let bytes = body.range().len();
    if bytes > MAX_BODY_BYTES {
        return Err(IntakeRefusal::BodyTooLarge { function, bytes });
    }
    let locals = Locals::read(body).map_err(|error| malformed(&error))?;
    if locals.count > MAX_LOCALS {
        return Err(IntakeRefusal::TooManyLocals { function, count: locals.count });
    }
    let mut flow = Flow::new(signatures, tally);
    for operator in body.get_operators_reader().map_err(|error| malformed(&error))? {
        flow.note(&operator.map_err(|error| malformed(&error))?)?;
    }
    let (loops, branches, weight) = (flow.loops, flow.branches + flow.loops, flow.weight);
    tally.note(Limit::LoopsTimesLocals, loops * u64::from(locals.count.max(1)))?;
    let parameters = signatures.of_function(function).0 as u64;
    work.local_bytes += locals.bytes;
    let variables = u64::from(locals.count) + parameters;
    work.branches_times_locals += branches * variables;
    work.function(bytes as u64, weight, tally)
}

#[derive(Default)]
struct Locals {
    count: u32,
    bytes: u64,
}

impl Locals {
    fn read(body: &FunctionBody<'_>) -> Result<Locals, BinaryReaderError> {
        let mut locals = Locals::default();
        for group in body.get_locals_reader()? {
            let (count, kind) = group?;
            locals.count = locals.count.saturating_add(count);
            let each = match kind {
                ValType::I32 | ValType::F32 => 4,
                ValType::I64 | ValType::F64 | ValType::Ref(_) => 8,
                ValType::V128 => 16,
            };
            locals.bytes += each * u64::from(count);
        }
        Ok(locals)
    }
}

/// The control flow of a body during one pass.
struct Flow<'a> {
    signatures: &'a Signatures,
    tally: &'a mut LimitTally,
    /// The blocks around the current operator; true for a loop.
    open: Vec<bool>,
    loops_open: u32,
    /// Number of loops, each multiplied by its nesting depth.
    loops: u64,
    /// Every start or end of a straight piece of code, loops excluded.
    branches: u64,
    /// Weight of operators beyond their bytes.
    weight: u64,
}

impl<'a> Flow<'a> {
    fn new(signatures: &'a Signatures, tally: &'a mut LimitTally) -> Flow<'a> {
        Flow {
            signatures,
            tally,
            open: Vec::new(),
            loops_open: 0,
            loops: 0,
            branches: 0,
            weight: 0,
        }
    }

    fn note(&mut self, operator: &Operator<'_>) -> Result<(), IntakeRefusal> {
        self.branches += branches(operator);
        self.weight += weights::weight(operator) + VALUE * self.values(operator);
        match operator {
            Operator::Block { .. } | Operator::If { .. } => self.enter(operator, false),
            Operator::Loop { .. } => self.enter(operator, true),
            Operator::End => {
                self.loops_open -= u32::from(self.open.pop().unwrap_or(false));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Number of values that an operator with a signature takes and leaves.
    fn values(&self, operator: &Operator<'_>) -> u64 {
        let (takes, leaves) = match operator {
            Operator::Block { blockty } | Operator::Loop { blockty } | Operator::If { blockty } => {
                self.block(*blockty)
            }
            Operator::Call { function_index } => self.signatures.of_function(*function_index),
            Operator::CallIndirect { type_index, .. } => self.signatures.of_type(*type_index),
            _ => (0, 0),
        };
        (takes + leaves) as u64
    }

    fn block(&self, kind: BlockType) -> (usize, usize) {
        match kind {
            BlockType::Empty => (0, 0),
            BlockType::Type(_) => (0, 1),
            BlockType::FuncType(index) => self.signatures.of_type(index),
        }
    }

    fn enter(&mut self, operator: &Operator<'_>, is_loop: bool) -> Result<(), IntakeRefusal> {
        if let Operator::Block { blockty } | Operator::Loop { blockty } | Operator::If { blockty } =
            operator
        {
            let (takes, leaves) = self.block(*blockty);
            self.tally.note(Limit::BlockValues, takes.max(leaves) as u64)?;
        }
        self.open.push(is_loop);
        self.loops_open += u32::from(is_loop);
        // Every enclosing loop may carry the same variables.
        self.loops += if is_loop { self.loops_open.into() } else { 0 };
        self.tally.note(Limit::LoopNesting, self.loops_open.into())?;
        self.tally.note(Limit::Nesting, self.open.len() as u64)
    }
}

/// Number of branches that an operator opens or ends. A jump table has one for each entry, even if
/// all lead to the same place.
fn branches(operator: &Operator<'_>) -> u64 {
    match operator {
        Operator::Block { .. }
        | Operator::If { .. }
        | Operator::Else
        | Operator::Br { .. }
        | Operator::BrIf { .. }
        | Operator::Return => 1,
        Operator::BrTable { targets } => 1 + u64::from(targets.len()),
        // The compiler makes several blocks of each. Measured by the memory that each takes with
        // thousands of local variables; a branch takes 24 bytes for each of them.
        Operator::MemoryGrow { .. }
        | Operator::MemoryFill { .. }
        | Operator::MemoryCopy { .. }
        | Operator::MemoryInit { .. } => 1,
        Operator::CallIndirect { .. } | Operator::TableGet { .. } => 2,
        Operator::TableFill { .. } => 3,
        Operator::TableGrow { .. } | Operator::TableInit { .. } => 5,
        Operator::TableCopy { .. } => 15,
        _ => 0,
    }
}
