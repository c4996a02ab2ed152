//! Readable names of a module's functions.

use std::collections::BTreeMap;

use wasmparser::{BinaryReader, ExternalKind, Name, NameSectionReader, Parser, Payload};

/// Maximum length of a displayed name, and maximum number of bytes to keep of a name.
const LETTERS: usize = 120;
const BYTES: usize = 2000;

/// The function names that the module contains, by index. Names are decoded on demand, because a
/// module has many and few are shown, and because a short encoded name can stand for a very long
/// one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FunctionNames(BTreeMap<u32, String>);

impl FunctionNames {
    /// Reads all names up to the first invalid byte.
    pub(crate) fn read(module: &[u8]) -> FunctionNames {
        let mut names = FunctionNames::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload {
                Ok(Payload::ExportSection(exports)) => {
                    let functions = exports.into_iter().flatten();
                    for export in functions.filter(|one| one.kind == ExternalKind::Func) {
                        names.0.insert(export.index, shortened(export.name));
                    }
                }
                // The name section follows the exports, and is more precise.
                Ok(Payload::CustomSection(section)) if section.name() == "name" => {
                    names.add(section.data(), section.data_offset());
                }
                Ok(_) => {}
                Err(_) => break,
            }
        }
        names
    }

    fn add(&mut self, data: &[u8], offset: usize) {
        let sections = NameSectionReader::new(BinaryReader::new(data, offset));
        for section in sections.into_iter().map_while(Result::ok) {
            let Name::Function(functions) = section else { continue };
            for naming in functions.into_iter().map_while(Result::ok) {
                if !naming.name.is_empty() {
                    self.0.insert(naming.index, shortened(naming.name));
                }
            }
        }
    }

    /// The function's name, if it has one.
    pub(crate) fn find(&self, function: u32) -> Option<String> {
        self.0.get(&function).map(|name| shown(name))
    }

    /// The function's name, or its number.
    pub(crate) fn name(&self, function: u32) -> String {
        self.find(function).unwrap_or_else(|| format!("function {function}"))
    }
}

/// The part of a name that is decoded or shown.
fn shortened(name: &str) -> String {
    name[..name.floor_char_boundary(BYTES + 1)].to_owned()
}

/// Decodes a name that a compiler for Rust or C++ has mangled.
pub(crate) fn shown(name: &str) -> String {
    judge_sandbox::shown_name(name, LETTERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_names_come_from_the_name_section_or_the_exports() {
        let text = r#"(module
            (func (export "judge_line"))
            (func $think)
            (func $_ZN6my_bot5think17h0123456789abcdefE)
            (func $_ZN5board5thinkERK5Statei)
            (func))"#;
        let names = FunctionNames::read(&wat::parse_str(text).expect("a module"));
        let named = [0, 1, 2, 3, 4].map(|function| names.name(function));
        let cpp = "board::think(State const&, int)";
        assert_eq!(named, ["judge_line", "think", "my_bot::think", cpp, "function 4"]);
        assert_eq!(names.find(4), None);
    }

    #[test]
    fn a_file_that_is_not_a_module_has_no_function_names() {
        assert_eq!(FunctionNames::read(b"\0asm\x01\0\0\0\xff"), FunctionNames::default());
        assert_eq!(shown("a\u{1b}[31m"), "a\\u{1b}[31m");
    }
}
