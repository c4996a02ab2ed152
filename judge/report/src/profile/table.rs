//! The table of functions.

use super::{FuelProfile, FunctionFuel};
use crate::text_table::{align_right, new_table, shown, trimmed};
use crate::units::{fuel_as_ms, share};

/// Renders the functions by self fuel, the most expensive first.
pub(super) fn table(profile: &FuelProfile, top: usize) -> String {
    let all = profile.fuel();
    let mut functions: Vec<&FunctionFuel> = profile.functions.iter().collect();
    // The sort is stable, so equal ones stay in the order of the module.
    functions.sort_by_key(|function| std::cmp::Reverse(function.own));
    let mut table = new_table();
    let counted = if profile.is_sampled { "samples" } else { "calls" };
    table.set_header(["own fuel", "share", "own", "total", counted, "function"]);
    let (first, others) = functions.split_at(top.min(functions.len()));
    for function in first {
        table.add_row(row(function, all, shown(&function.name)));
    }
    if !others.is_empty() {
        let own = others.iter().map(|function| function.own).sum();
        let calls = others.iter().map(|function| function.calls).sum();
        let rest = FunctionFuel { own, calls, ..FunctionFuel::default() };
        let [fuel, share, time, _, calls, name] = row(&rest, all, more(others.len()));
        table.add_row([fuel, share, time, String::new(), calls, name]);
    }
    align_right(&mut table, 0..5);
    trimmed(&table) + "\n"
}

fn more(functions: usize) -> String {
    format!("({functions} more function{})", if functions == 1 { "" } else { "s" })
}

fn row(function: &FunctionFuel, all: u64, name: String) -> [String; 6] {
    let FunctionFuel { calls, own, total, .. } = function;
    let figures = [own.to_string(), share(*own, all), fuel_as_ms(*own), fuel_as_ms(*total)];
    let [fuel, share, own, total] = figures;
    [fuel, share, own, total, calls.to_string(), name]
}
