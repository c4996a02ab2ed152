//! What operators cost in fuel where it is not 1: those that take much longer than an addition, so
//! that no module spends far more wall clock per fuel than a plain loop.

use wasmtime::OperatorCost;

/// Declares the table once, for the engine and for the fingerprint.
macro_rules! costs {
    ($($operator:ident = $cost:literal),* $(,)?) => {
        /// The engine's table of costs.
        pub(crate) fn operator_costs() -> OperatorCost {
            let mut costs = OperatorCost::new();
            $(costs.$operator = $cost;)*
            costs
        }

        /// The table as text: what differs from the engine's defaults.
        pub(crate) fn describe() -> String {
            [$(concat!(stringify!($operator), "=", stringify!($cost))),*].join(",")
        }
    };
}

costs! {
    // Calls into the runtime.
    RefFunc = 50,
    MemoryGrow = 200,
    TableGrow = 200,
    MemoryFill = 30,
    MemoryCopy = 30,
    MemoryInit = 30,
    DataDrop = 30,
    TableFill = 50,
    TableCopy = 50,
    TableInit = 50,
    ElemDrop = 50,
    TableGet = 10,
    TableSet = 10,
    Call = 5,
    CallIndirect = 10,
    // Division and roots.
    I32DivS = 5,
    I32DivU = 5,
    I32RemS = 5,
    I32RemU = 5,
    I64DivS = 8,
    I64DivU = 8,
    I64RemS = 8,
    I64RemU = 8,
    F32Div = 5,
    F64Div = 5,
    F32Sqrt = 10,
    F64Sqrt = 10,
    F32x4Div = 8,
    F64x2Div = 8,
    F32x4Sqrt = 15,
    F64x2Sqrt = 15,
    // Calls into the runtime on processors without an instruction for them.
    F32Ceil = 5,
    F32Floor = 5,
    F32Trunc = 5,
    F32Nearest = 5,
    F64Ceil = 5,
    F64Floor = 5,
    F64Trunc = 5,
    F64Nearest = 5,
    F32x4Ceil = 10,
    F32x4Floor = 10,
    F32x4Trunc = 10,
    F32x4Nearest = 10,
    F64x2Ceil = 10,
    F64x2Floor = 10,
    F64x2Trunc = 10,
    F64x2Nearest = 10,
}
