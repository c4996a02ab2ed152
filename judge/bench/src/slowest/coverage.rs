//! Operators in each shape, and the parts of a module that the search varies.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use wasm_encoder::{Function, Instruction, ValType};
use wasmparser::{BinaryReader, FunctionBody};

use super::genome::FunctionKind;
use super::shapes::Shape;
use crate::operators::{self, OperatorEntry};

/// A part of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Types,
    Imports,
    Functions,
    Tables,
    Memories,
    Globals,
    Exports,
    Start,
    Elements,
    DataCount,
    Code,
    Data,
    Custom,
}

impl Section {
    const ALL: [Section; 13] = [
        Section::Types,
        Section::Imports,
        Section::Functions,
        Section::Tables,
        Section::Memories,
        Section::Globals,
        Section::Exports,
        Section::Start,
        Section::Elements,
        Section::DataCount,
        Section::Code,
        Section::Data,
        Section::Custom,
    ];

    /// The varied quantities, or the reason why there are none.
    fn varied(self) -> &'static str {
        match self {
            Section::Types => "up to the most types, no two alike",
            Section::Imports => "not varied: a bot has at most one, a program 46",
            Section::Functions => "up to the most functions, of three kinds",
            Section::Tables => "not varied: nothing is compiled for a table",
            Section::Memories => "not varied: there is one",
            Section::Globals => "up to the most global variables: numbers, vectors, functions",
            Section::Exports => "up to the most exports",
            Section::Start => "not varied: one number",
            Section::Elements => {
                "up to the most segments, active (copied at the start) and passive"
            }
            Section::DataCount => "follows the data",
            Section::Code => {
                "each operator by itself, and handwritten shapes; local variables used, read at \
                 the end, or idle, of each type; loops and blocks around"
            }
            Section::Data => "up to the most segments, active and passive",
            Section::Custom => "not varied: nothing is compiled for it",
        }
    }
}

/// Both tables as Markdown.
pub(super) fn table() -> String {
    let shapes = shapes_of_operators();
    let mut classes: BTreeMap<&'static str, (usize, BTreeSet<String>)> = BTreeMap::new();
    for entry in operators::all() {
        let (count, by_hand) = classes.entry(class(&entry)).or_default();
        *count += 1;
        by_hand.extend(shapes.get(entry.name).into_iter().flatten().cloned());
    }
    let mut text = "| operators | count | single | in shapes |\n|---|--:|--:|---|\n".to_owned();
    // Writing to a string cannot fail.
    for (class, (count, by_hand)) in classes {
        let names: Vec<String> =
            by_hand.iter().filter(|name| !name.ends_with(" alone")).cloned().collect();
        let alone = by_hand.len() - names.len();
        let names = if names.is_empty() { "–".to_owned() } else { names.join(", ") };
        let _ = writeln!(text, "| {class} | {count} | {} | {names} |", alone.min(count));
    }
    text.push_str("\n| section | varied |\n|---|---|\n");
    for section in Section::ALL {
        let _ = writeln!(text, "| {section:?} | {} |", section.varied());
    }
    text
}

/// The class of an operator, by its name.
fn class(entry: &OperatorEntry) -> &'static str {
    let name = entry.name;
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let lanes = name.contains('x') && entry.proposal == "simd";
    match entry.proposal {
        "simd" if has(&["Load", "Store"]) => "vectors: loads and stores",
        "simd"
            if has(&["Trunc", "Convert", "Demote", "Promote"])
                && has(&["Sat", "Convert", "Demote", "Promote"]) =>
        {
            "vectors: conversions"
        }
        "simd" if lanes && has(&["Lane", "Splat", "Shuffle", "Swizzle", "Narrow", "Extend"]) => {
            "vectors: lanes, shuffles, widths"
        }
        "simd" if name.starts_with('F') => "vectors: fractions",
        "simd" => "vectors: whole numbers and bits",
        "mvp" | "sign_extension" | "saturating_float_to_int" if has(&["Load", "Store"]) => {
            "loads and stores"
        }
        _ if has(&["Memory", "Data"]) => "memory as a whole",
        _ if has(&["Table", "Elem", "Ref"]) && !has(&["BrTable"]) => "tables and references",
        _ if has(&["Local", "Global", "Const", "Drop", "Select"]) => "variables, constants, choice",
        _ if has(&["Trunc", "Convert", "Demote", "Promote", "Reinterpret", "Wrap", "Extend"])
            && !["F32Trunc", "F64Trunc"].contains(&name) =>
        {
            "conversions"
        }
        _ if name.starts_with("I32") || name.starts_with("I64") => "whole numbers",
        _ if name.starts_with("F32") || name.starts_with("F64") => "fractions",
        _ => "control and calls",
    }
}

/// The names of the shapes with each operator.
fn shapes_of_operators() -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for shape in Shape::all() {
        for operator in operators_in(shape) {
            all.entry(operator).or_default().insert(shape.name());
        }
    }
    all
}

/// The operators in a few units of a shape, by name.
fn operators_in(shape: Shape) -> BTreeSet<String> {
    let part = FunctionKind {
        shape,
        bytes: 0,
        locals: 8,
        idle: (0, ValType::I32),
        width: 3,
        loops: 0,
        blocks: 0,
        read: false,
    };
    let mut function = Function::new([]);
    for number in 0..3 {
        for instruction in shape.unit(number, &part) {
            function.instruction(&instruction);
        }
    }
    function.instruction(&Instruction::End);
    let bytes = function.into_raw_body();
    let body = FunctionBody::new(BinaryReader::new(&bytes, 0));
    let operators = body.get_operators_reader().expect("a body was written");
    let name = |text: String| text.split([' ', '(']).next().unwrap_or_default().to_owned();
    operators.into_iter().flatten().map(|operator| name(format!("{operator:?}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Never valid: the format has room for several types, but only one is allowed.
    const OTHERWISE: [&str; 1] = ["TypedSelectMulti"];

    #[test]
    fn every_operator_is_in_a_shape() {
        let shapes = shapes_of_operators();
        let all = operators::all();
        assert!(all.len() > 400, "{} operators", all.len());
        let missing: Vec<&str> = all
            .iter()
            .map(|entry| entry.name)
            .filter(|name| !shapes.contains_key(*name) && !OTHERWISE.contains(name))
            .collect();
        assert_eq!(missing, [""; 0], "in no shape");
    }

    #[test]
    fn the_document_has_the_table() {
        let path = crate::root().join("judge/docs/security.md");
        let document = std::fs::read_to_string(path).unwrap_or_default();
        assert!(document.contains(&table()), "`slowest --coverage` prints another table");
    }
}
