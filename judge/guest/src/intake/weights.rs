//! Weights of operators: the compiler's work for each, beyond that of its bytes. Measured for each
//! operator with `cargo run --release -p judge-bench --bin operators`, on x86-64 with the
//! instruction set that bots use; see `judge/docs/security.md`. One unit is about a microsecond of
//! processor time, 750 bytes while its function is compiled, and 25 bytes that stay until the
//! module is complete. The largest of the three counts.

use wasmparser::Operator;

/// Weight of a value that a call or a block takes or leaves.
pub(super) const VALUE: u64 = 2;

/// Weight of an empty function.
pub(super) const FUNCTION: u64 = 32;

/// Weight of a data segment that is copied when an instance starts.
pub(super) const ACTIVE_SEGMENT: u64 = 75;

/// Declares the table.
macro_rules! weights {
    ($($weight:literal: $($operator:ident)+;)*) => {
        /// The weight of an operator, without its bytes.
        pub fn weight(operator: &Operator<'_>) -> u64 {
            match operator {
                $($(Operator::$operator { .. })|+ => $weight,)*
                // Each target of the table is a branch.
                Operator::BrTable { targets } => BRANCH * (1 + u64::from(targets.len())),
                _ if is_vector(operator) => VECTOR,
                _ => 0,
            }
        }
    };
}

/// Weight of each branch of a jump table.
const BRANCH: u64 = 16;

/// Weight of vector operators that are a single instruction.
const VECTOR: u64 = 2;

weights! {
    // Calls into the runtime, with code around them for each case of failure.
    256: TableCopy;
    208: TableInit;
    80: TableGrow;
    64: TableFill CallIndirect;
    48: MemoryFill MemoryCopy MemoryInit;
    40: TableGet;
    24: TableSet MemoryGrow;
    12: RefFunc ElemDrop;
    8: Call;
    // Ends of straight pieces of code.
    16: Loop If Else Br BrIf Return Unreachable;
    2: Block;
    // The optimiser tries many forms of them.
    66: I32Rotl I32Rotr I64Rotl I64Rotr;
    6: I32Or I64Or;
    // A range check before, and code for each failure.
    18: I32TruncF32S I32TruncF32U I32TruncF64S I32TruncF64U I64TruncF32S I64TruncF32U
        I64TruncF64S I64TruncF64U I32TruncSatF32S I32TruncSatF32U I32TruncSatF64S
        I32TruncSatF64U I64TruncSatF32S I64TruncSatF32U I64TruncSatF64S I64TruncSatF64U;
    8: I32DivS I32DivU I32RemS I32RemU I64DivS I64DivU I64RemS I64RemU;
    // Float arithmetic: NaN bits are made canonical after each operator.
    12: F32Min F32Max F64Min F64Max;
    8: F32Sqrt F64Sqrt F32Ceil F32Floor F32Trunc F32Nearest F64Ceil F64Floor F64Trunc F64Nearest;
    10: F32DemoteF64 F64PromoteF32 F32ConvertI64U F64ConvertI64U;
    5: F32Add F32Sub F32Mul F32Div F64Add F64Sub F64Mul F64Div;
    4: F32Eq F32Ne F32Lt F32Gt F32Le F32Ge F64Eq F64Ne F64Lt F64Gt F64Le F64Ge F32Copysign
        F64Copysign F32Abs F64Abs F32Neg F64Neg F32ConvertI32S F32ConvertI32U F32ConvertI64S
        F64ConvertI32S F64ConvertI32U F64ConvertI64S I32ReinterpretF32 I64ReinterpretF64
        F32ReinterpretI32 F64ReinterpretI64;
    // One byte each, without a second operand that has weight.
    4: I32Clz I32Ctz I64Clz I64Ctz I64Eqz;
    2: I32Popcnt I64Popcnt I32Eqz I32WrapI64 I64ExtendI32S I64ExtendI32U I32Extend8S I32Extend16S
        I64Extend8S I64Extend16S I64Extend32S MemorySize TableSize RefIsNull RefNull GlobalGet;
    3: GlobalSet;
    // Vectors: several instructions, or constants in the code.
    12: I8x16Popcnt F32x4Min F32x4Max F64x2Min F64x2Max I16x8ExtAddPairwiseI8x16S
        I16x8ExtAddPairwiseI8x16U I32x4ExtAddPairwiseI16x8S I32x4ExtAddPairwiseI16x8U
        I32x4TruncSatF32x4S I32x4TruncSatF32x4U I32x4TruncSatF64x2SZero I32x4TruncSatF64x2UZero;
    8: I64x2ShrS F32x4Add F32x4Sub F32x4Mul F32x4Div F64x2Add F64x2Sub F64x2Mul F64x2Div
        F32x4Sqrt F64x2Sqrt F32x4Ceil F32x4Floor F32x4Trunc F32x4Nearest F64x2Ceil F64x2Floor
        F64x2Trunc F64x2Nearest F32x4ConvertI32x4U F64x2ConvertLowI32x4S F64x2ConvertLowI32x4U
        F32x4DemoteF64x2Zero F64x2PromoteLowF32x4 I64x2Mul I16x8Q15MulrSatS I8x16Swizzle
        I8x16Shl I8x16ShrS I8x16ShrU V128AnyTrue I8x16AllTrue I16x8AllTrue I32x4AllTrue
        I64x2AllTrue I8x16Bitmask I16x8Bitmask I32x4Bitmask I64x2Bitmask;
    5: I8x16Ne I16x8Ne I32x4Ne I64x2Ne I8x16LtU I8x16GtU I16x8LtU I16x8GtU I32x4LtU I32x4GtU
        I8x16LeS I8x16LeU I8x16GeS I8x16GeU I16x8LeS I16x8LeU I16x8GeS I16x8GeU I32x4LeS I32x4LeU
        I32x4GeS I32x4GeU I64x2LeS I64x2GeS I64x2LtS I64x2GtS I16x8ExtMulLowI8x16S
        I16x8ExtMulHighI8x16S I16x8ExtMulLowI8x16U I16x8ExtMulHighI8x16U I32x4ExtMulLowI16x8S
        I32x4ExtMulHighI16x8S I32x4ExtMulLowI16x8U I32x4ExtMulHighI16x8U I64x2ExtMulLowI32x4S
        I64x2ExtMulHighI32x4S I64x2ExtMulLowI32x4U I64x2ExtMulHighI32x4U I32x4DotI16x8S
        V128AndNot V128Bitselect I8x16Splat I16x8Splat I32x4Splat I64x2Splat F32x4Splat
        F64x2Splat I8x16ExtractLaneS I8x16ExtractLaneU I16x8ExtractLaneS I16x8ExtractLaneU
        I32x4ExtractLane I64x2ExtractLane F32x4ExtractLane F64x2ExtractLane I8x16Abs I16x8Abs
        I32x4Abs I64x2Abs F32x4Abs F64x2Abs I8x16Neg I16x8Neg I32x4Neg I64x2Neg F32x4Neg F64x2Neg
        V128Not I16x8Shl I16x8ShrS I16x8ShrU I32x4Shl I32x4ShrS I32x4ShrU I64x2Shl I64x2ShrU
        V128Load8x8S V128Load8x8U V128Load16x4S V128Load16x4U V128Load32x2S V128Load32x2U
        V128Load8Splat V128Load16Splat V128Load32Splat V128Load64Splat V128Load32Zero
        V128Load64Zero V128Load8Lane V128Load16Lane V128Load32Lane V128Load64Lane TypedSelect
        TypedSelectMulti;
}

/// True for an operator of the vector proposal.
fn is_vector(operator: &Operator<'_>) -> bool {
    macro_rules! vectors {
        ($(@$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident ($($ann:tt)*))*) => {
            matches!(operator, $(Operator::$op { .. })|*)
        };
    }
    wasmparser::for_each_visit_simd_operator!(vectors)
}
