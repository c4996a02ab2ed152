//! The contents of a module, even of one that intake refuses.

use judge_core::printable;
use serde::Serialize;
use wasmparser::{
    BinaryReader, CustomSectionReader, ExternalKind, KnownCustom, Parser, Payload,
    ProducersSectionReader, TypeRef,
};

use crate::PAGE;
use crate::intake::Transport;

/// Maximum number of listed imports or exports, and maximum length of a name.
const LISTED: usize = 40;
const LETTERS: usize = 60;

/// The compiler that probably made a module. Remedies are in its terms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Maker {
    /// clang or gcc-like, for C or C++.
    Clang,
    /// Emscripten.
    Emscripten,
    /// Rust.
    Rust,
    /// Go's own compiler.
    Go,
    /// TinyGo.
    #[serde(rename = "tinygo")]
    TinyGo,
    /// Zig.
    Zig,
    /// AssemblyScript.
    #[serde(rename = "assemblyscript")]
    AssemblyScript,
    /// .NET.
    #[serde(rename = "dotnet")]
    DotNet,
    /// The module does not reveal it.
    #[default]
    Unknown,
}

impl Maker {
    /// The toolchain's name for people, if it is known.
    pub fn title(self) -> Option<&'static str> {
        match self {
            Maker::Clang => Some("C or C++"),
            Maker::Emscripten => Some("Emscripten"),
            Maker::Rust => Some("Rust"),
            Maker::Go => Some("Go"),
            Maker::TinyGo => Some("TinyGo"),
            Maker::Zig => Some("Zig"),
            Maker::AssemblyScript => Some("AssemblyScript"),
            Maker::DotNet => Some(".NET"),
            Maker::Unknown => None,
        }
    }
}

/// The contents of a module.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// The compiler.
    pub toolchain: Maker,
    /// Compilers and tools that the module names.
    pub producers: Vec<String>,
    /// The first imports.
    pub imports: Vec<String>,
    /// The first exports.
    pub exports: Vec<String>,
    /// Memory at the start, in bytes.
    pub memory_bytes: u64,
    /// Declared maximum of the memory, in bytes.
    pub most_memory_bytes: Option<u64>,
    /// Functions that run at the start.
    pub start: Vec<&'static str>,
    /// Features that the module names.
    pub features: Vec<String>,
    /// Custom sections, with their sizes in bytes.
    pub extras: Vec<(String, u64)>,
}

impl Contents {
    /// Reads all sections up to the first invalid byte.
    pub fn read(module: &[u8]) -> Contents {
        let mut contents = Contents::default();
        for payload in Parser::new(0).parse_all(module) {
            let Ok(payload) = payload else { break };
            contents.note(&payload);
        }
        contents.toolchain = contents.guess();
        if contents.exports.iter().any(|name| name == "_initialize") {
            contents.start.push("_initialize");
        }
        contents
    }

    /// The transport that the module appears to use.
    pub fn transport(&self) -> Option<Transport> {
        let has = |name: &str| self.exports.iter().any(|export| export == name);
        match (has("judge_line"), has("_start")) {
            (true, _) => Some(Transport::Exports),
            (false, true) => Some(Transport::Stdio),
            (false, false) => None,
        }
    }

    fn note(&mut self, payload: &Payload<'_>) {
        match payload {
            Payload::ImportSection(section) => {
                for import in section.clone().into_imports().flatten() {
                    if let TypeRef::Memory(memory) = import.ty {
                        self.memory(memory.initial, memory.maximum);
                    }
                    let name = format!("{}.{}", import.module, import.name);
                    add(&mut self.imports, &name);
                }
            }
            Payload::MemorySection(section) => {
                for memory in section.clone().into_iter().flatten() {
                    self.memory(memory.initial, memory.maximum);
                }
            }
            Payload::ExportSection(section) => {
                for export in section.clone().into_iter().flatten() {
                    let is_seen = matches!(export.kind, ExternalKind::Func | ExternalKind::Memory);
                    if is_seen {
                        add(&mut self.exports, export.name);
                    }
                }
            }
            Payload::StartSection { .. } => self.start.push("start section"),
            Payload::CustomSection(section) => self.custom(section),
            _ => {}
        }
    }

    fn memory(&mut self, initial: u64, maximum: Option<u64>) {
        self.memory_bytes = self.memory_bytes.saturating_add(initial.saturating_mul(PAGE));
        self.most_memory_bytes = maximum.map(|pages| pages.saturating_mul(PAGE));
    }

    fn custom(&mut self, section: &CustomSectionReader<'_>) {
        match section.as_known() {
            KnownCustom::Producers(producers) => self.producers = names(&producers),
            _ if section.name() == "target_features" => {
                self.features = features(section.data()).unwrap_or_default();
            }
            _ if section.name() == "judge" => {}
            _ => {
                let name = printable(section.name(), LETTERS);
                self.extras.push((name, section.data().len() as u64));
            }
        }
    }

    /// Guesses the toolchain from its traces in the module.
    fn guess(&self) -> Maker {
        let made = |word: &str| self.producers.iter().any(|name| name.contains(word));
        let wants = |start: &str| self.imports.iter().any(|name| name.starts_with(start));
        let has = |name: &str| self.exports.iter().any(|export| export == name);
        if made("TinyGo") {
            Maker::TinyGo
        } else if wants("env.emscripten") || wants("env._emscripten") || made("emscripten") {
            Maker::Emscripten
        } else if made("Rust") || made("rustc") || wants("wbg.") || wants("__wbindgen") {
            Maker::Rust
        } else if made("Go cmd") || made("Go ") || wants("gojs.") || wants("go.") {
            Maker::Go
        } else if made("Zig") || made("zig") {
            Maker::Zig
        } else if wants("env.abort") || wants("env.seed") || has("__new") || has("__pin") {
            Maker::AssemblyScript
        } else if wants("env.mono") || made("dotnet") || made("C#") {
            Maker::DotNet
        } else if made("C1") || made("C9") || made("C_plus_plus") || made("clang") {
            Maker::Clang
        } else {
            Maker::Unknown
        }
    }
}

fn add(list: &mut Vec<String>, name: &str) {
    if list.len() < LISTED {
        list.push(printable(name, LETTERS));
    }
}

/// The names of languages and compilers, such as `clang 22.1.8` and `C11`, in the section's order.
fn names(producers: &ProducersSectionReader<'_>) -> Vec<String> {
    let fields = producers.clone().into_iter().flatten();
    let values = fields.flat_map(|field| field.values.into_iter().flatten());
    let shown = values.map(|value| {
        let text = format!("{} {}", value.name, value.version);
        printable(text.trim(), LETTERS)
    });
    shown.take(LISTED).collect()
}

/// The features that the compiler was allowed to use.
fn features(section: &[u8]) -> Option<Vec<String>> {
    let mut reader = BinaryReader::new(section, 0);
    let count = reader.read_var_u32().ok()?;
    let mut found = Vec::new();
    for _ in 0..count.min(100) {
        let used = reader.read_u8().ok()? == b'+';
        let name = reader.read_string().ok()?;
        if used {
            found.push(printable(name, LETTERS));
        }
    }
    Some(found)
}
