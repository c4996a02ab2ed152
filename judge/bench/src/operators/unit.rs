//! Code full of one operator: pieces that leave the stack unchanged. Every result is used, so that
//! the compiler omits nothing, and no two computations are the same.

use wasm_encoder::Instruction::{self, *};
use wasm_encoder::{BlockType, MemArg, RefType, ValType};
use wasmparser::Operator;

use super::catalog::OperatorEntry;

/// Types of values in bots, in the order of the local variables of [`Places`].
pub(crate) const KINDS: [ValType; 6] = [
    ValType::I32,
    ValType::I64,
    ValType::F32,
    ValType::F64,
    ValType::V128,
    ValType::Ref(RefType::FUNCREF),
];

/// Local variables of each type in a function: the index of the first, followed by one of each of
/// [`KINDS`], then another one of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Places(pub(crate) u32);

impl Places {
    /// The local variable of this type.
    pub(crate) fn first(self, kind: ValType) -> u32 {
        let number = KINDS.iter().position(|one| *one == kind).unwrap_or_default();
        self.0 + number as u32
    }

    /// The second local variable of this type.
    pub(crate) fn second(self, kind: ValType) -> u32 {
        self.first(kind) + KINDS.len() as u32
    }
}

/// The values that an operator takes and leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) takes: Vec<ValType>,
    pub(crate) leaves: Option<ValType>,
}

impl Signature {
    /// True if the result can be the first operand of the next one.
    fn is_chain(&self) -> bool {
        self.leaves.is_some() && self.leaves == self.takes.first().copied()
    }
}

/// An operator and its way of repetition.
#[derive(Debug, Clone)]
pub(crate) enum Filling {
    /// By its signature only. A result is the first operand of the next one if possible.
    Values(OperatorEntry, Signature),
    /// By its signature, with two values that are computed from both in turn.
    Crossed(OperatorEntry, Signature),
    /// As part of control flow, or for any operator without a signature.
    Control(OperatorEntry),
}

impl Filling {
    pub(crate) fn entry(&self) -> OperatorEntry {
        match self {
            Filling::Values(entry, _) | Filling::Crossed(entry, _) | Filling::Control(entry) => {
                *entry
            }
        }
    }

    /// The crossed form, if possible.
    pub(crate) fn crossed(&self) -> Option<Filling> {
        match self {
            Filling::Values(entry, signature)
                if signature.is_chain() && signature.takes.get(1) == signature.takes.first() =>
            {
                Some(Filling::Crossed(*entry, signature.clone()))
            }
            _ => None,
        }
    }

    /// The first instructions of a sequence.
    pub(crate) fn begin(&self, places: Places) -> Vec<Instruction<'static>> {
        match self {
            Filling::Values(_, signature) if signature.is_chain() => {
                vec![LocalGet(places.first(signature.takes[0]))]
            }
            _ => vec![],
        }
    }

    /// The instructions of one unit.
    pub(crate) fn unit(&self, number: u32, places: Places) -> Vec<Instruction<'static>> {
        match self {
            Filling::Values(entry, signature) => values(entry, signature, number, places),
            Filling::Crossed(entry, signature) => crossed(entry, signature, number, places),
            Filling::Control(entry) => control(entry, number, places),
        }
    }

    /// The last instructions of a sequence. They store every computed value in memory, because the
    /// compiler would omit unused computations.
    pub(crate) fn end(&self, places: Places) -> Vec<Instruction<'static>> {
        let mut end = Vec::new();
        if let Some(LocalGet(chained)) = self.begin(places).first() {
            end.push(LocalSet(*chained));
        }
        for kind in KINDS {
            for (place, local) in [places.first(kind), places.second(kind)].into_iter().enumerate()
            {
                end.extend([LocalGet(places.first(ValType::I32)), LocalGet(local)]);
                end.extend(store(kind, place as u32));
            }
        }
        end
    }

    /// The loads and stores of a unit, which represent other code.
    pub(crate) fn beside(&self) -> Beside {
        match self {
            Filling::Values(_, signature) if !signature.is_chain() => Beside {
                loads: signature.takes.first().copied().filter(|kind| loaded(self.entry(), *kind)),
                stores: signature.leaves,
            },
            _ => Beside::default(),
        }
    }
}

/// The needs of a unit in addition to its operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Beside {
    pub(crate) loads: Option<ValType>,
    pub(crate) stores: Option<ValType>,
}

fn crossed(
    entry: &OperatorEntry,
    signature: &Signature,
    number: u32,
    places: Places,
) -> Vec<Instruction<'static>> {
    let kind = signature.takes[0];
    let (mut one, mut other) = (places.first(kind), places.second(kind));
    if number % 2 == 1 {
        std::mem::swap(&mut one, &mut other);
    }
    let mut unit = vec![LocalGet(one), LocalGet(other)];
    unit.extend(signature.takes.iter().skip(2).map(|kind| LocalGet(places.first(*kind))));
    unit.extend(entry.instruction(number));
    unit.push(LocalSet(one));
    unit
}

fn values(
    entry: &OperatorEntry,
    signature: &Signature,
    number: u32,
    places: Places,
) -> Vec<Instruction<'static>> {
    let own = entry.instruction(number).into_iter();
    if signature.is_chain() {
        let others = signature.takes[1..].iter().map(|kind| LocalGet(places.second(*kind)));
        return others.chain(own).collect();
    }
    let mut unit = Vec::new();
    if signature.leaves.is_some() {
        unit.push(LocalGet(places.first(ValType::I32)));
    }
    for (place, kind) in signature.takes.iter().enumerate() {
        if place == 0 && loaded(*entry, *kind) {
            unit.extend(load(*kind, number, places));
        } else {
            unit.push(LocalGet(places.first(*kind)));
        }
    }
    unit.extend(own);
    if let Some(kind) = signature.leaves {
        unit.extend(store(kind, number));
    }
    unit
}

/// True if the first operand is loaded from memory. False if the operator differs from the next one
/// by its own address, or if the value cannot be loaded.
fn loaded(entry: OperatorEntry, kind: ValType) -> bool {
    let has_address = matches!(entry.instruction(0), Some(instruction) if address(&instruction));
    !has_address && !matches!(kind, ValType::Ref(_))
}

fn address(instruction: &Instruction<'_>) -> bool {
    // These are the names of all loads and stores, and of no other operators.
    let name = format!("{instruction:?}");
    name.contains("MemArg")
}

fn at(number: u32) -> MemArg {
    MemArg { offset: 8 + u64::from(number % 4000) * 16, align: 0, memory_index: 0 }
}

/// Loads a value, each time from another address.
pub(crate) fn load(kind: ValType, number: u32, places: Places) -> Vec<Instruction<'static>> {
    let from = at(number);
    let load = match kind {
        ValType::I32 => I32Load(from),
        ValType::I64 => I64Load(from),
        ValType::F32 => F32Load(from),
        ValType::F64 => F64Load(from),
        ValType::V128 => V128Load(from),
        ValType::Ref(_) => return vec![LocalGet(places.first(kind))],
    };
    vec![LocalGet(places.first(ValType::I32)), load]
}

/// Stores a value in memory at the address below it.
pub(crate) fn store(kind: ValType, number: u32) -> Vec<Instruction<'static>> {
    let to = at(number);
    vec![match kind {
        ValType::I32 => I32Store(to),
        ValType::I64 => I64Store(to),
        ValType::F32 => F32Store(to),
        ValType::F64 => F64Store(to),
        ValType::V128 => V128Store(to),
        ValType::Ref(_) => return vec![RefIsNull, I32Store(to)],
    }]
}

fn control(entry: &OperatorEntry, number: u32, places: Places) -> Vec<Instruction<'static>> {
    let local = places.first(ValType::I32);
    let (get, set) = (LocalGet(local), LocalSet(local));
    let block = Block(BlockType::Empty);
    let own: Vec<_> = entry.instruction(number).into_iter().collect();
    match entry.operator(number) {
        Operator::Block { .. } | Operator::Loop { .. } | Operator::End => {
            vec![if entry.name == "Loop" { Loop(BlockType::Empty) } else { block }, End]
        }
        Operator::If { .. } => vec![get, If(BlockType::Empty), End],
        Operator::Else => vec![get, If(BlockType::Empty), Else, End],
        Operator::Br { .. } => vec![block, Br(0), End],
        Operator::BrIf { .. } | Operator::BrTable { .. } => {
            [vec![block, get], own, vec![End]].concat()
        }
        Operator::Return | Operator::Unreachable => {
            [vec![block, get, BrIf(0)], own, vec![End]].concat()
        }
        Operator::Call { .. } => [own, vec![set]].concat(),
        Operator::CallIndirect { .. } => [vec![get], own, vec![set]].concat(),
        Operator::Select => {
            [vec![get.clone(), I32Const(number as i32), get], own, vec![set]].concat()
        }
        Operator::TypedSelect { .. } => {
            let vector = places.first(ValType::V128);
            let values =
                [load(ValType::V128, number, places), vec![LocalGet(vector), get]].concat();
            [values, own, vec![LocalSet(vector)]].concat()
        }
        Operator::Drop => [vec![get], own].concat(),
        Operator::LocalGet { .. } => vec![get, set],
        Operator::LocalSet { .. } => vec![I32Const(number as i32), set],
        Operator::LocalTee { .. } => vec![get, LocalTee(local), set],
        // `nop` and other operators without operands.
        _ => own,
    }
}
