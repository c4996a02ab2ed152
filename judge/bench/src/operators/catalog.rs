//! Every WebAssembly operator that bots may use, with sample immediate operands.

use wasm_encoder::Instruction;
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasmparser::{
    BinaryReader, BlockType, BrTable, HeapType, Ieee32, Ieee64, MemArg, Operator, OperatorsReader,
    V128, ValType,
};

/// An operator of an enabled proposal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OperatorEntry {
    /// The name in `wasmparser`, such as `I32Add`.
    pub(crate) name: &'static str,
    /// The proposal that added it, such as `simd`.
    pub(crate) proposal: &'static str,
    /// Numbers of values that it takes and leaves, in the validator's format: `arity 2 -> 1`.
    pub(crate) arity: &'static str,
    make: fn(u32) -> Operator<'static>,
}

impl OperatorEntry {
    /// The operator with immediate operands that depend on `number`, so that no two in a row are
    /// the same computation.
    pub(crate) fn operator(&self, number: u32) -> Operator<'static> {
        (self.make)(number)
    }

    /// The operator for writing into a function.
    pub(crate) fn instruction(&self, number: u32) -> Option<Instruction<'static>> {
        RoundtripReencoder.instruction(self.operator(number)).ok()
    }

    /// Numbers of values that it takes and leaves, if they do not depend on the context.
    pub(crate) fn values(&self) -> Option<(usize, usize)> {
        let (takes, leaves) = self.arity.strip_prefix("arity ")?.split_once(" -> ")?;
        Some((takes.parse().ok()?, leaves.parse().ok()?))
    }
}

/// An immediate operand.
trait Sample {
    fn sample(number: u32) -> Self;
}

macro_rules! samples {
    ($($kind:ty: $number:ident => $sample:expr;)*) => {
        $(impl Sample for $kind {
            fn sample($number: u32) -> Self {
                // Not all types use the number.
                let _ = $number;
                $sample
            }
        })*
    };
}

samples! {
    // Indices, and levels of blocks.
    u32: number => 0;
    u8: number => 0;
    i32: number => number.wrapping_mul(0x9e37_79b1) as i32;
    i64: number => u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) as i64;
    Ieee32: number => (number as f32 + 0.1).into();
    Ieee64: number => (f64::from(number) + 0.1).into();
    [u8; 16]: number => std::array::from_fn(|lane| ((number as usize + lane * 7) % 32) as u8);
    BlockType: number => BlockType::Empty;
    ValType: number => ValType::V128;
    Vec<ValType>: number => vec![ValType::V128];
    HeapType: number => HeapType::FUNC;
    MemArg: number => MemArg {
        align: 0,
        max_align: 0,
        offset: u64::from(number % 4000) * 16,
        memory: 0,
    };
}

impl Sample for V128 {
    fn sample(number: u32) -> V128 {
        // Only parsing creates one: from 0xfd 0x0c and its bytes.
        let mut bytes = [0; 18];
        bytes[..2].copy_from_slice(&[0xfd, 0x0c]);
        for (place, byte) in bytes[2..].iter_mut().enumerate() {
            *byte = (number.wrapping_mul(0x9e37_79b1) >> (place % 4 * 8)) as u8;
        }
        match first(&bytes) {
            Operator::V128Const { value } => value,
            other => unreachable!("a constant was written, {other:?} was read"),
        }
    }
}

impl Sample for BrTable<'static> {
    fn sample(_: u32) -> BrTable<'static> {
        match first(&[0x0e, 4, 0, 0, 0, 0, 0]) {
            Operator::BrTable { targets } => targets,
            other => unreachable!("a table was written, {other:?} was read"),
        }
    }
}

/// The first operator of some bytes.
fn first(bytes: &[u8]) -> Operator<'_> {
    let mut reader = OperatorsReader::new(BinaryReader::new(bytes, 0));
    reader.read().expect("these bytes are an operator")
}

/// An entry if the operator's proposal is enabled: those in `FEATURES` of the engine.
macro_rules! entry {
    (mvp $($rest:tt)*) => { entry!(@ "mvp" $($rest)*) };
    (sign_extension $($rest:tt)*) => { entry!(@ "sign_extension" $($rest)*) };
    (saturating_float_to_int $($rest:tt)*) => { entry!(@ "saturating_float_to_int" $($rest)*) };
    (bulk_memory $($rest:tt)*) => { entry!(@ "bulk_memory" $($rest)*) };
    (reference_types $($rest:tt)*) => { entry!(@ "reference_types" $($rest)*) };
    (simd $($rest:tt)*) => { entry!(@ "simd" $($rest)*) };
    (@ $proposal:literal $op:ident $({ $($arg:ident: $argty:ty),* })? => $($ann:tt)*) => {
        Some(OperatorEntry {
            name: stringify!($op),
            proposal: $proposal,
            arity: stringify!($($ann)*),
            make: |_number| Operator::$op $({ $($arg: Sample::sample(_number)),* })?,
        })
    };
    ($other:ident $($rest:tt)*) => { None };
}

macro_rules! catalog {
    ($(@$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident ($($ann:tt)*))*) => {
        [$(entry!($proposal $op $({ $($arg: $argty),* })? => $($ann)*)),*]
    };
}

/// All operators, in the order of the specification.
pub(crate) fn all() -> Vec<OperatorEntry> {
    let every: Vec<Option<OperatorEntry>> = Vec::from(wasmparser::for_each_operator!(catalog));
    every.into_iter().flatten().collect()
}
