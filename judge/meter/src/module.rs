//! Rewrites a module section by section. Everything added comes last in its section, so no index moves.

use std::collections::BTreeMap;

use wasm_encoder::reencode::{Reencode as _, RoundtripReencoder};
use wasm_encoder::{
    CodeSection, ConstExpr, Encode as _, ExportKind, ExportSection, FunctionSection, GlobalSection,
    GlobalType, Module, RawSection, SectionId, TypeSection, ValType,
};
use wasmparser::{BinaryReader, FunctionBody, Parser, Payload, TypeRef};

use crate::allowed::MAX_TABLE_ELEMENTS;
use crate::error::MeterError;
use crate::height::STACK_BYTES;
use crate::layout::{GLOBALS, Layout, OWED, PAGES, PREFIX, STACK, START, TABLES};
use crate::{body, height, helpers};

/// Order of the sections in a module.
const ORDER: [SectionId; 11] = [
    SectionId::Type,
    SectionId::Import,
    SectionId::Function,
    SectionId::Table,
    SectionId::Memory,
    SectionId::Global,
    SectionId::Export,
    SectionId::Element,
    SectionId::DataCount,
    SectionId::Code,
    SectionId::Data,
];

/// Contents of sections by their ids, without custom sections.
type SectionBytes<'a> = BTreeMap<u8, &'a [u8]>;

/// Returns the rewritten module. Its start function is the export [`START`]; the host puts fuel into
/// the globals before each call.
///
/// # Errors
/// When the module is not valid, or has exports or imports that rewriting does not support.
pub fn rewrite(module: &[u8]) -> Result<Vec<u8>, MeterError> {
    let heights = height::heights(module)?;
    let (layout, sections, bodies) = read(module)?;
    let mut code = CodeSection::new();
    for (number, (body, height)) in bodies.iter().zip(heights).enumerate() {
        code.function(&body::rewrite(&layout, number, body, height)?);
    }
    code.function(&helpers::stop(&layout));
    code.function(&helpers::overflow(&layout));
    for (table, (_, most)) in (0..).zip(&layout.tables) {
        code.function(&helpers::grow_table(&layout, table, *most));
    }
    if layout.memory {
        code.function(&helpers::grow_memory(&layout));
    }
    Ok(write(&sections, &layout, &code))
}

type ModuleParts<'a> = (Layout, SectionBytes<'a>, Vec<FunctionBody<'a>>);

fn read(module: &[u8]) -> Result<ModuleParts<'_>, MeterError> {
    let mut layout = Layout::default();
    let (mut sections, mut bodies) = (SectionBytes::new(), Vec::new());
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        if let Some((id, range)) = payload.as_section() {
            sections.insert(id, &module[range]);
        }
        match payload {
            Payload::CodeSectionEntry(body) => bodies.push(body),
            other => note(&mut layout, other)?,
        }
    }
    Ok((layout, sections, bodies))
}

/// Notes a section's facts in the layout.
fn note(layout: &mut Layout, payload: Payload<'_>) -> Result<(), MeterError> {
    match payload {
        Payload::TypeSection(types) => {
            for function in types.into_iter_err_on_gc_types() {
                let function = function?;
                layout.parameters.push(function.params().len() as u32);
                let results = function.results().iter();
                let encoded = results.map(|kind| RoundtripReencoder.val_type(*kind));
                layout
                    .results
                    .push(encoded.collect::<Result<_, _>>().map_err(|_| MeterError::Types)?);
            }
        }
        Payload::ImportSection(imports) => {
            for import in imports.into_imports() {
                let import = import?;
                if !matches!(import.ty, TypeRef::Func(_)) {
                    let (module, name) = (import.module.to_owned(), import.name.to_owned());
                    return Err(MeterError::Import { module, name });
                }
                layout.imported += 1;
            }
        }
        Payload::FunctionSection(types) => {
            layout.types = types.into_iter().collect::<Result<_, _>>()?;
        }
        Payload::TableSection(tables) => {
            for table in tables {
                let of = table?.ty;
                layout.tables.push((of.initial, of.maximum));
            }
        }
        Payload::MemorySection(memories) => {
            for memory in memories {
                layout.memory = true;
                layout.most_pages = memory?.maximum;
            }
        }
        Payload::GlobalSection(globals) => layout.globals = globals.count(),
        Payload::ExportSection(exports) => {
            for export in exports {
                let name = export?.name;
                if name.starts_with(PREFIX) {
                    return Err(MeterError::Reserved(name.to_owned()));
                }
            }
        }
        Payload::StartSection { func, .. } => layout.start = Some(func),
        _ => {}
    }
    Ok(())
}

fn write(sections: &SectionBytes<'_>, layout: &Layout, code: &CodeSection) -> Vec<u8> {
    let mut module = Module::new();
    for id in ORDER {
        let id = id as u8;
        let old = sections.get(&id).copied();
        let data = match added(id, layout) {
            Some(added) => joined(old.unwrap_or(&[0]), &added),
            None if id == SectionId::Code as u8 => contents(code),
            None => match old {
                Some(old) => old.to_vec(),
                None => continue,
            },
        };
        module.section(&RawSection { id, data: &data });
    }
    module.finish()
}

/// Contents of a section that are added to the module's own.
fn added(id: u8, layout: &Layout) -> Option<Vec<u8>> {
    const TYPE: u8 = SectionId::Type as u8;
    const FUNCTION: u8 = SectionId::Function as u8;
    const GLOBAL: u8 = SectionId::Global as u8;
    const EXPORT: u8 = SectionId::Export as u8;
    match id {
        TYPE => Some(contents(&types(layout))),
        FUNCTION => Some(contents(&functions(layout))),
        GLOBAL => Some(contents(&globals(layout))),
        EXPORT => Some(contents(&exports(layout))),
        _ => None,
    }
}

/// Types of the added functions, and of blocks with several results.
fn types(layout: &Layout) -> TypeSection {
    let mut types = TypeSection::new();
    types.ty().function([], []);
    types.ty().function([ValType::FUNCREF, ValType::I32], [ValType::I32]);
    types.ty().function([ValType::I32], [ValType::I32]);
    for several in layout.results.iter().filter(|results| results.len() > 1) {
        types.ty().function([], several.iter().copied());
    }
    types
}

fn functions(layout: &Layout) -> FunctionSection {
    let first = layout.parameters.len() as u32;
    let mut functions = FunctionSection::new();
    functions.function(first);
    functions.function(first);
    for _ in &layout.tables {
        functions.function(first + 1);
    }
    if layout.memory {
        functions.function(first + 2);
    }
    functions
}

fn globals(layout: &Layout) -> GlobalSection {
    let elements: u64 = layout.tables.iter().map(|(first, _)| first).sum();
    let owed: u64 = layout.tables.iter().map(|(first, _)| (*first).min(MAX_TABLE_ELEMENTS)).sum();
    let mut globals = GlobalSection::new();
    for (name, is_wide) in GLOBALS {
        let val_type = if is_wide { ValType::I64 } else { ValType::I32 };
        let value = match name {
            PAGES => 1 << 16,
            OWED => owed as i64,
            TABLES => elements as i64,
            STACK => i64::from(STACK_BYTES),
            _ => 0,
        };
        let value = match is_wide {
            true => ConstExpr::i64_const(value),
            false => ConstExpr::i32_const(value as i32),
        };
        globals.global(GlobalType { val_type, mutable: true, shared: false }, &value);
    }
    globals
}

fn exports(layout: &Layout) -> ExportSection {
    let mut exports = ExportSection::new();
    for ((name, _), index) in GLOBALS.into_iter().zip(layout.globals..) {
        exports.export(name, ExportKind::Global, index);
    }
    if let Some(start) = layout.start {
        exports.export(START, ExportKind::Func, start);
    }
    exports
}

/// A section's bytes without its size.
fn contents(section: &impl wasm_encoder::Section) -> Vec<u8> {
    let mut bytes = Vec::new();
    section.encode(&mut bytes);
    let rest = counted(&bytes).1;
    rest.to_vec()
}

/// The number at the start of a section's contents, and the rest.
fn counted(bytes: &[u8]) -> (u32, &[u8]) {
    let mut reader = BinaryReader::new(bytes, 0);
    let count = reader.read_var_u32().unwrap_or_default();
    (count, &bytes[reader.original_position()..])
}

/// The entries of two sections in one.
fn joined(one: &[u8], other: &[u8]) -> Vec<u8> {
    let ((first, entries), (second, more)) = (counted(one), counted(other));
    let mut bytes = Vec::new();
    (first + second).encode(&mut bytes);
    bytes.extend_from_slice(entries);
    bytes.extend_from_slice(more);
    bytes
}
