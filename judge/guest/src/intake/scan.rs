//! One validator pass over a module, which collects the data for the checks.

use judge_core::printable;
use judge_protocol::{
    EXPORT_BUFFER, EXPORT_INITIALIZE, EXPORT_LINE, EXPORT_MEMORY, IMPORT_LOG, IMPORT_MODULE,
    MANIFEST_SECTION,
};
use wasmparser::types::{CoreTypeId, EntityType, Types};
use wasmparser::{
    BinaryReaderError, FuncToValidate, FuncValidatorAllocations, FunctionBody,
    FunctionSectionReader, Parser, Payload, TypeRef, ValType, ValidPayload, Validator,
    ValidatorResources,
};

use super::body::{self, Signatures};
use super::joins;
use super::limit::{Limit, LimitTally};
use super::limits::MAX_DATA_SEGMENTS;
use super::segments::Segments;
use super::work::Work;
use super::{IntakeRefusal, Manifest, Transport};
use crate::allowed::FEATURES;
use crate::image::Image;
use crate::wasi::{self, FUNCTIONS, Function, PROC_EXIT};
use crate::{EXPORT_START, PAGE};

/// Most names listed in a refusal.
const LISTED: usize = 8;

/// Imports, exports and other parts of a valid module that the checks need.
pub(super) struct Scan<'a> {
    types: Types,
    imports: Vec<Import<'a>>,
    exports: Vec<(&'a str, EntityType)>,
    manifest: Option<&'a [u8]>,
    memory_pages: u64,
    tally: LimitTally,
}

struct Import<'a> {
    module: &'a str,
    name: &'a str,
    entity: EntityType,
}

impl<'a> Scan<'a> {
    /// Validates the whole module against the features of the engine.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Scan<'a>, IntakeRefusal> {
        let mut validator = Validator::new_with_features(FEATURES);
        let mut found = ScannedPayloads::default();
        let mut types = None;
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload.map_err(|error| malformed(&error))?;
            found.note(&payload)?;
            match validator.payload(&payload).map_err(|error| malformed(&error))? {
                ValidPayload::Func(function, body) => found.check_flow(function, &body)?,
                ValidPayload::End(end) => types = Some(end),
                ValidPayload::Ok | ValidPayload::Parser(_) => {}
            }
        }
        let types = types.ok_or(IntakeRefusal::Malformed {
            offset: bytes.len(),
            reason: "unexpected end of the file".to_owned(),
        })?;
        Ok(found.complete(types))
    }

    /// The transport, by the module's exports; none if it offers neither.
    pub(super) fn transport(&self) -> Option<Transport> {
        if self.export(EXPORT_LINE).is_some() {
            return Some(Transport::Exports);
        }
        self.export(EXPORT_START).map(|_| Transport::Stdio)
    }

    pub(super) fn check_imports(&self, transport: Option<Transport>) -> Result<(), IntakeRefusal> {
        let (forbidden, more) = self.listed(|import| !import.is_offered(transport));
        if !forbidden.is_empty() {
            return Err(IntakeRefusal::ForbiddenImports { names: forbidden, more, transport });
        }
        let (mistyped, more) = self.listed(|import| !self.has_its_type(import));
        if !mistyped.is_empty() {
            return Err(IntakeRefusal::MistypedImports { names: mistyped, more });
        }
        // Importing a function twice has no use, and each import takes room in every instance.
        let most = if transport == Some(Transport::Exports) { 1 } else { FUNCTIONS.len() };
        let count = self.imports.len();
        if count <= most { Ok(()) } else { Err(IntakeRefusal::RepeatedImports { count, most }) }
    }

    /// The names of the first imports that match, and the number of others.
    fn listed(&self, has: impl Fn(&Import<'_>) -> bool) -> (Vec<String>, usize) {
        let mut names: Vec<String> =
            self.imports.iter().filter(|import| has(import)).map(Import::shown).collect();
        let more = names.len().saturating_sub(LISTED);
        names.truncate(LISTED);
        (names, more)
    }

    /// True if the import has the type of the function that the judge offers by that name.
    fn has_its_type(&self, import: &Import<'_>) -> bool {
        match import.system_function() {
            Some(function) => self.is_as(import.entity, function),
            None => self.is_function(import.entity, &[ValType::I32, ValType::I32], &[]),
        }
    }

    fn is_as(&self, entity: EntityType, function: &Function) -> bool {
        let kinds = function.parameters.chars();
        let parameters: Vec<ValType> =
            kinds.map(|kind| if kind == 'I' { ValType::I64 } else { ValType::I32 }).collect();
        let results = if function.name == PROC_EXIT { &[][..] } else { &[ValType::I32] };
        self.is_function(entity, &parameters, results)
    }

    pub(super) fn check_exports(&self, transport: Option<Transport>) -> Result<(), IntakeRefusal> {
        let memory = |entity| matches!(entity, EntityType::Memory(_));
        let mut missing = Vec::new();
        missing.extend(self.lacks(EXPORT_MEMORY, "a memory", memory));
        match transport {
            Some(Transport::Stdio) => {
                missing.extend(self.lacks(EXPORT_START, "a function `() -> ()`", |entity| {
                    self.is_function(entity, &[], &[])
                }));
            }
            Some(Transport::Exports) | None => missing.extend(self.missing_calls()),
        }
        if missing.is_empty() {
            Ok(())
        } else {
            Err(IntakeRefusal::MissingExports { missing, transport })
        }
    }

    /// Missing functions of transport A.
    fn missing_calls(&self) -> Vec<String> {
        let i32 = ValType::I32;
        let mut missing = Vec::new();
        missing.extend(self.lacks(EXPORT_BUFFER, "a function `() -> i32`", |entity| {
            self.is_function(entity, &[], &[i32])
        }));
        missing.extend(self.lacks(EXPORT_LINE, "a function `(i32) -> i32`", |entity| {
            self.is_function(entity, &[i32], &[i32])
        }));
        if self.export(EXPORT_INITIALIZE).is_some() {
            missing.extend(self.lacks(EXPORT_INITIALIZE, "a function `() -> ()`", |entity| {
                self.is_function(entity, &[], &[])
            }));
        }
        missing
    }

    /// Describes the export if it is missing or of another kind.
    fn lacks(&self, name: &str, wanted: &str, fits: impl Fn(EntityType) -> bool) -> Option<String> {
        match self.export(name) {
            None => Some(format!("`{name}`, {wanted}")),
            Some(entity) if fits(entity) => None,
            Some(entity) => {
                Some(format!("`{name}` as {wanted} (it is {})", self.shown_export(entity)))
            }
        }
    }

    /// An export of another kind or type than the wanted one.
    fn shown_export(&self, entity: EntityType) -> String {
        let kind = match entity {
            EntityType::Func(id) => return self.shown_function(id),
            EntityType::Table(_) => "a table",
            EntityType::Memory(_) => "a memory",
            EntityType::Global(_) => "a global variable",
            _ => "a tag",
        };
        kind.to_owned()
    }

    fn shown_function(&self, id: CoreTypeId) -> String {
        let signature = self.types[id].unwrap_func();
        let list = |types: &[ValType]| {
            let shown = types.iter().take(LISTED).map(ValType::to_string);
            let more = (types.len() > LISTED).then(|| "…".to_owned());
            shown.chain(more).collect::<Vec<_>>().join(", ")
        };
        let (parameters, results) = (signature.params(), signature.results());
        let results = if results.is_empty() { "()".to_owned() } else { list(results) };
        format!("a function `({}) -> {results}`", list(parameters))
    }

    fn export(&self, name: &str) -> Option<EntityType> {
        self.exports.iter().find(|(exported, _)| *exported == name).map(|(_, entity)| *entity)
    }

    fn is_function(&self, entity: EntityType, params: &[ValType], results: &[ValType]) -> bool {
        let EntityType::Func(id) = entity else { return false };
        let signature = self.types[id].unwrap_func();
        signature.params() == params && signature.results() == results
    }

    pub(super) fn initial_bytes(&self) -> u64 {
        self.memory_pages.saturating_mul(PAGE)
    }

    pub(super) fn tally(&self) -> &LimitTally {
        &self.tally
    }

    pub(super) fn manifest(&self) -> Manifest {
        self.manifest.map(Manifest::parse).unwrap_or_default()
    }
}

impl Import<'_> {
    /// True if the judge offers an import of this name over `transport`.
    fn is_offered(&self, transport: Option<Transport>) -> bool {
        let is_log = self.module == IMPORT_MODULE && self.name == IMPORT_LOG;
        match transport {
            Some(Transport::Exports) => is_log,
            Some(Transport::Stdio) => self.system_function().is_some(),
            // A missing transport is reported later, with a more helpful message.
            None => is_log || self.system_function().is_some(),
        }
    }

    fn system_function(&self) -> Option<&'static Function> {
        let named = |function: &&Function| function.name == self.name;
        FUNCTIONS.iter().find(named).filter(|_| self.module == wasi::MODULE)
    }

    fn shown(&self) -> String {
        printable(&format!("{}.{}", self.module, self.name), 80)
    }
}

/// Content of the payloads, before the types are known.
#[derive(Default)]
struct ScannedPayloads<'a> {
    imports: Vec<wasmparser::Import<'a>>,
    exports: Vec<wasmparser::Export<'a>>,
    manifest: Option<&'a [u8]>,
    memory_pages: u64,
    /// True if operators may refer to data segments.
    counts_data: bool,
    functions: u32,
    /// Imported functions: those with a body are numbered after them.
    imported: u32,
    declared: Signatures,
    work: Work,
    tally: LimitTally,
    segments: Segments,
    /// Number of parameters and results of all functions.
    signatures: u64,
}

impl<'a> ScannedPayloads<'a> {
    /// Validates a body with sizes within the limits, and computes its joins.
    fn check_flow(
        &mut self,
        function: FuncToValidate<ValidatorResources>,
        body: &FunctionBody<'_>,
    ) -> Result<(), IntakeRefusal> {
        let FuncToValidate { resources, index, ty, features } = &function;
        let again = FuncToValidate {
            resources: resources.clone(),
            index: *index,
            ty: *ty,
            features: *features,
        };
        let validator = |function: FuncToValidate<_>| {
            function.into_validator(FuncValidatorAllocations::default())
        };
        validator(function).validate(body).map_err(|error| malformed(&error))?;
        let product =
            joins::product(&mut validator(again), body).map_err(|error| malformed(&error))?;
        self.work.joins(product, &mut self.tally)
    }

    fn note(&mut self, payload: &Payload<'a>) -> Result<(), IntakeRefusal> {
        match payload {
            Payload::TypeSection(section) => {
                self.tally.note(Limit::Types, section.count().into())?;
                for signature in section.clone().into_iter_err_on_gc_types() {
                    let signature = signature.map_err(|error| malformed(&error))?;
                    let arity = (signature.params().len(), signature.results().len());
                    self.tally.note(Limit::Parameters, arity.0 as u64)?;
                    self.tally.note(Limit::Results, arity.1 as u64)?;
                    self.declared.arities.push(arity);
                }
            }
            Payload::ImportSection(section) => {
                self.tally.note(Limit::Imports, section.count().into())?;
                for import in section.clone().into_imports() {
                    let import = import.map_err(|error| malformed(&error))?;
                    if let TypeRef::Func(kind) = import.ty {
                        self.declared.kinds.push(kind);
                    }
                    self.imports.push(import);
                }
            }
            Payload::ExportSection(section) => {
                self.tally.note(Limit::Exports, section.count().into())?;
                for export in section.clone() {
                    self.exports.push(export.map_err(|error| malformed(&error))?);
                }
            }
            Payload::MemorySection(section) => {
                for memory in section.clone() {
                    let memory = memory.map_err(|error| malformed(&error))?;
                    self.memory_pages = self.memory_pages.saturating_add(memory.initial);
                }
            }
            Payload::TableSection(section) => {
                self.tally.note(Limit::Tables, section.count().into())?;
                for table in section.clone() {
                    let table = table.map_err(|error| malformed(&error))?;
                    self.tally.note(Limit::TableElements, table.ty.initial)?;
                }
            }
            Payload::GlobalSection(section) => {
                self.tally.note(Limit::Globals, section.count().into())?;
                self.segments.globals(section.clone(), &mut self.tally)?;
            }
            Payload::FunctionSection(section) => self.note_functions(section)?,
            Payload::ElementSection(section) => {
                self.segments.elements(section.clone(), &mut self.tally)?;
            }
            Payload::DataSection(section) => {
                // Refuse too many segments before laying them out.
                let is_joined = !self.counts_data && section.count() <= MAX_DATA_SEGMENTS;
                let image =
                    is_joined.then(|| Image::from_section(section, self.memory_pages)).flatten();
                self.segments.data(section.clone(), image, &mut self.work, &mut self.tally)?;
            }
            Payload::DataCountSection { .. } => self.counts_data = true,
            Payload::CodeSectionStart { count, .. } => {
                self.tally.note(Limit::Functions, (*count).into())?;
            }
            Payload::CodeSectionEntry(body) => {
                let function = self.functions + self.imported;
                self.functions += 1;
                body::check(function, body, &self.declared, &mut self.work, &mut self.tally)?;
            }
            Payload::CustomSection(section) if section.name() == MANIFEST_SECTION => {
                self.manifest = Some(section.data());
            }
            _ => {}
        }
        Ok(())
    }

    fn note_functions(&mut self, section: &FunctionSectionReader<'a>) -> Result<(), IntakeRefusal> {
        self.tally.note(Limit::Functions, section.count().into())?;
        self.imported = self.declared.kinds.len() as u32;
        for kind in section.clone() {
            let kind = kind.map_err(|error| malformed(&error))?;
            let arity = self.declared.of_type(kind);
            self.signatures += (arity.0 + arity.1) as u64;
            self.declared.kinds.push(kind);
        }
        self.tally.note(Limit::Signatures, self.signatures)
    }

    fn complete(self, types: Types) -> Scan<'a> {
        let view = types.as_ref();
        let imports = self
            .imports
            .iter()
            .filter_map(|import| {
                let entity = view.entity_type_from_import(import)?;
                Some(Import { module: import.module, name: import.name, entity })
            })
            .collect();
        let exports = self
            .exports
            .iter()
            .filter_map(|export| Some((export.name, view.entity_type_from_export(export)?)))
            .collect();
        Scan {
            imports,
            exports,
            manifest: self.manifest,
            memory_pages: self.memory_pages,
            types,
            tally: self.tally,
        }
    }
}

pub(super) fn malformed(error: &BinaryReaderError) -> IntakeRefusal {
    IntakeRefusal::Malformed { offset: error.offset(), reason: printable(error.message(), 200) }
}
