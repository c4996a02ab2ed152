//! The table of costs (`judge/meter/src/costs.rs`) for the engine and for the fingerprint.
//! `cargo bench -p judge-bench --bench fuel` measures the basis of each figure.

use judge_meter::TABLE_COPY_ELEMENT;
use wasmtime::OperatorCost;

/// Cost of calling a function, as in the table.
pub(crate) const CALL: u64 = 8;

/// Declares the table once, for both the engine and the fingerprint.
macro_rules! costs {
    ($($cost:literal: $($operator:ident)+;)*) => {
        /// The engine's table of costs.
        pub(crate) fn operator_costs() -> OperatorCost {
            let mut costs = OperatorCost::new();
            $($(costs.$operator = $cost;)+)*
            costs.variable.table_copy_per_element = TABLE_COPY_ELEMENT;
            // `Limiter` charges for this, and never for more than a table can grow by.
            costs.variable.table_grow_per_element = 0;
            costs
        }

        /// The table as text: the differences from the engine's defaults.
        pub(crate) fn describe() -> String {
            let each = [$($(concat!(stringify!($operator), "=", stringify!($cost))),+),*].join(",");
            format!("{each},table_copy={TABLE_COPY_ELEMENT}")
        }
    };
}

judge_meter::cost_table!(costs);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_costs_what_the_table_says() {
        assert_eq!(u64::from(operator_costs().Call), CALL);
        assert_eq!(operator_costs().I32Const, 1);
    }
}
