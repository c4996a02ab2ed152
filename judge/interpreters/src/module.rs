//! The bytes of modules: sections copied unchanged, except the three that a script changes.

use std::ops::Range;

use wasmparser::{BinaryReader, DataSectionReader, MemorySectionReader, Parser, Payload};

use crate::{ALL, Interpreter, SECTION};

/// Bytes of a module before its first section.
const HEADER: usize = 8;

/// Bits of an address inside a page of memory.
const PAGE_BITS: u32 = 16;

/// Numbers of sections.
const CUSTOM: u8 = 0;
const MEMORY: u8 = 5;
const DATA: u8 = 11;
const DATA_COUNT: u8 = 12;

/// The interpreter's own pages of memory. The script begins behind them.
#[derive(Clone, Copy)]
pub(crate) struct Base {
    pages: u64,
}

impl Base {
    pub(crate) fn from_interpreter(interpreter: &Interpreter) -> Base {
        base(interpreter.module).expect("a test of this crate reads every interpreter")
    }

    /// Address of the script.
    pub(crate) fn address(self) -> u32 {
        (self.pages << PAGE_BITS) as u32
    }

    /// The initial memory of an interpreter with such a block.
    pub(crate) fn pages_with(self, block: usize) -> u64 {
        self.pages + (block as u64).div_ceil(1 << PAGE_BITS)
    }
}

fn base(module: &[u8]) -> Option<Base> {
    for payload in Parser::new(0).parse_all(module) {
        if let Payload::MemorySection(section) = payload.ok()? {
            let pages = section.into_iter().next()?.ok()?.initial;
            return Some(Base { pages });
        }
    }
    None
}

/// The interpreter with a block in its memory, and the section that names it.
pub(crate) fn with_block(interpreter: &Interpreter, block: &[u8]) -> Vec<u8> {
    let module = interpreter.module;
    let base = Base::from_interpreter(interpreter);
    let mut out = module[..HEADER].to_vec();
    for (id, content) in sections(module) {
        match id {
            MEMORY => write_section(id, &memory(content, base.pages_with(block.len())), &mut out),
            DATA_COUNT => write_section(id, &more_by_one(content), &mut out),
            DATA => {
                let mut content = more_by_one(content);
                write_segment(base.address(), block, &mut content);
                write_section(id, &content, &mut out);
            }
            _ => write_section(id, content, &mut out),
        }
    }
    let mut named = Vec::new();
    write_size(SECTION.len(), &mut named);
    named.extend(SECTION.bytes().chain(interpreter.name.bytes()));
    write_section(CUSTOM, &named, &mut out);
    out
}

/// The interpreter that a module names, and the range of its last data segment.
pub(crate) fn interpreter_and_block(module: &[u8]) -> Option<(&'static Interpreter, Range<usize>)> {
    let (mut named, mut block) = (None, None);
    for payload in Parser::new(0).parse_all(module) {
        match payload.ok()? {
            Payload::CustomSection(section) if section.name() == SECTION => {
                named = ALL.iter().find(|one| one.name.as_bytes() == section.data());
            }
            Payload::DataSection(section) => block = last_segment(section),
            _ => {}
        }
    }
    Some((*named?, block?))
}

/// The data of a custom section.
pub(crate) fn custom_section<'a>(module: &'a [u8], name: &str) -> Option<&'a [u8]> {
    Parser::new(0).parse_all(module).find_map(|payload| match payload.ok()? {
        Payload::CustomSection(section) if section.name() == name => Some(section.data()),
        _ => None,
    })
}

fn last_segment(section: DataSectionReader<'_>) -> Option<Range<usize>> {
    let segment = section.into_iter().last()?.ok()?;
    Some(segment.range.end - segment.data.len()..segment.range.end)
}

/// True if these sections do not affect the behaviour of a module.
pub(crate) fn has_only_custom_sections(rest: &[u8]) -> bool {
    let mut reader = BinaryReader::new(rest, 0);
    while !reader.eof() {
        let custom = reader.read_u8().is_ok_and(|id| id == CUSTOM);
        if !custom || reader.read_reader().is_err() {
            return false;
        }
    }
    true
}

/// The sections of an interpreter by their numbers, with their contents.
fn sections(module: &[u8]) -> Vec<(u8, &[u8])> {
    let mut reader = BinaryReader::new(&module[HEADER..], 0);
    let mut found = Vec::new();
    while !reader.eof() {
        let id = reader.read_u8().expect("a test of this crate reads every interpreter");
        let content = reader.read_reader().expect("as above");
        found.push((id, &module[HEADER..][content.range()]));
    }
    found
}

/// The section of a memory with another initial number of pages.
fn memory(content: &[u8], pages: u64) -> Vec<u8> {
    let reader = MemorySectionReader::new(BinaryReader::new(content, 0)).ok();
    let memory = reader.and_then(|section| section.into_iter().next()?.ok());
    let maximum = memory.and_then(|memory| memory.maximum);
    let mut out = vec![1, u8::from(maximum.is_some())];
    for pages in std::iter::once(pages).chain(maximum) {
        write_size(pages as usize, &mut out);
    }
    out
}

/// Content that begins with a count, with that count one higher.
fn more_by_one(content: &[u8]) -> Vec<u8> {
    let mut reader = BinaryReader::new(content, 0);
    let count = reader.read_var_u32().expect("a test of this crate reads every interpreter");
    let mut out = Vec::new();
    write_size(count as usize + 1, &mut out);
    out.extend(&content[reader.current_position()..]);
    out
}

/// An active segment, which is in memory from the beginning.
fn write_segment(address: u32, block: &[u8], out: &mut Vec<u8>) {
    out.extend([0x00, 0x41]);
    write_address(address, out);
    out.push(0x0b);
    write_size(block.len(), out);
    out.extend(block);
}

fn write_section(id: u8, content: &[u8], out: &mut Vec<u8>) {
    out.push(id);
    write_size(content.len(), out);
    out.extend(content);
}

/// A size: seven bits a byte, the lowest first.
fn write_size(mut size: usize, out: &mut Vec<u8>) {
    while size > 0x7f {
        out.push(size as u8 | 0x80);
        size >>= 7;
    }
    out.push(size as u8);
}

/// An address in the encoding of signed numbers: the highest bit of the last seven is its sign.
fn write_address(mut address: u32, out: &mut Vec<u8>) {
    while address > 0x3f {
        out.push(address as u8 | 0x80);
        address >>= 7;
    }
    out.push(address as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{File, Script};

    #[test]
    fn every_interpreter_accepts_a_script() {
        for interpreter in ALL {
            let base = base(interpreter.module).expect("it has a memory");
            assert!((4..32).contains(&base.pages));
            let parts: usize = sections(interpreter.module).iter().map(|part| part.1.len()).sum();
            assert!(parts > interpreter.module.len() * 9 / 10);
        }
    }

    #[test]
    fn a_packed_script_is_found() {
        for interpreter in ALL {
            for text in ["", "short", &"long ".repeat(50_000)] {
                let files = [File::new("bot", text), File::new("more", "text")];
                let module = interpreter.module_with(&files);
                let script = Script::in_module(&module).expect("it is one");
                assert_eq!(script.interpreter, interpreter);
                assert_eq!(script.main().as_ref(), Some(&files[0]));
                assert!(
                    script.pages << 16 >= u64::from(script.address) + script.block.len() as u64
                );
            }
        }
    }

    #[test]
    fn a_module_that_differs_beyond_its_script_is_not_a_script() {
        for interpreter in ALL {
            let module = interpreter.module_with(&[File::new("bot", "text")]);
            let code = module.len() / 2;
            for place in [12, code, module.len() - 1] {
                let mut other = module.clone();
                other[place] ^= 1;
                assert!(Script::in_module(&other).is_none(), "{place}");
            }
            assert!(Script::in_module(interpreter.module).is_none());
            let named = [&module[..], b"\0\x06\x05judge"].concat();
            assert!(Script::in_module(&named).is_some());
            let damaged = [&module[..], b"\x01\x01\0"].concat();
            assert!(Script::in_module(&damaged).is_none());
        }
    }
}
