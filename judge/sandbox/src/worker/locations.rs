//! Source locations from a module's debug information (DWARF). That is untrusted input, so a worker
//! reads it with bounded time and memory.

use addr2line::Context;
use addr2line::gimli::{self, Dwarf, EndianSlice, LittleEndian, SectionId};
use judge_core::printable;
use wasmparser::{Parser, Payload};

use super::message::SourceLocation;

/// Most offsets to look up, and most inlined functions of one location.
const MAX_OFFSETS: usize = 64;
const MAX_INLINED: usize = 16;

/// Most letters of a file's or function's name.
const LETTERS: usize = 200;

type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// The source locations for each offset in a module, innermost function first; empty if unknown.
pub(super) fn locate(module: &[u8], offsets: &[u32]) -> Vec<Vec<SourceLocation>> {
    let found = Sections::read(module).and_then(|sections| {
        let dwarf = Dwarf::load(|id| sections.get(id)).ok()?;
        Some((Context::from_dwarf(dwarf).ok()?, sections.code))
    });
    let Some((context, code)) = found else { return vec![Vec::new(); offsets.len()] };
    let locate = |(number, offset): (usize, &u32)| {
        let inside = u64::from(*offset).checked_sub(code).filter(|_| number < MAX_OFFSETS);
        inside.and_then(|address| locations(&context, address)).unwrap_or_default()
    };
    offsets.iter().enumerate().map(locate).collect()
}

/// The locations of one address. The list ends at the first unreadable one.
fn locations(context: &Context<Bytes<'_>>, address: u64) -> Option<Vec<SourceLocation>> {
    let mut frames = context.find_frames(address).skip_all_loads().ok()?;
    let mut found = Vec::new();
    while let Ok(Some(frame)) = frames.next()
        && found.len() < MAX_INLINED
    {
        let name = frame.function.as_ref().and_then(|function| function.raw_name().ok());
        let Some(location) = frame.location else { break };
        found.push(SourceLocation {
            inlined: name.map(|name| printable(&name, LETTERS)),
            file: printable(location.file.unwrap_or_default(), LETTERS),
            line: location.line.unwrap_or_default(),
        });
    }
    // The outermost function is named by the module itself.
    if let Some(last) = found.last_mut() {
        last.inlined = None;
    }
    found.retain(|place| !place.file.is_empty());
    Some(found)
}

/// Sections with debug information, and the start of the code, from which addresses count.
struct Sections<'a> {
    debug: Vec<(&'a str, &'a [u8])>,
    code: u64,
}

impl<'a> Sections<'a> {
    fn read(module: &'a [u8]) -> Option<Sections<'a>> {
        let mut sections = Sections { debug: Vec::new(), code: 0 };
        for payload in Parser::new(0).parse_all(module) {
            match payload.ok()? {
                Payload::CodeSectionStart { range, .. } => {
                    sections.code = u64::try_from(range.start).ok()?;
                }
                Payload::CustomSection(section) if section.name().starts_with(".debug_") => {
                    sections.debug.push((section.name(), section.data()));
                }
                _ => {}
            }
        }
        (!sections.debug.is_empty()).then_some(sections)
    }

    fn get(&self, id: SectionId) -> Result<Bytes<'a>, gimli::Error> {
        let data = self.debug.iter().find(|(name, _)| *name == id.name());
        Ok(EndianSlice::new(data.map_or(&[], |(_, data)| data), LittleEndian))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Divides by zero in a function at line 8 of its source.
    const DIVIDES: &[u8] = include_bytes!("../../../../tests/support/divides.wasm");

    /// The start of the module's code, and the ranges of its debug information.
    fn layout() -> (u32, Vec<std::ops::Range<usize>>) {
        let (mut code, mut debug) = (0, Vec::new());
        for payload in Parser::new(0).parse_all(DIVIDES) {
            match payload.expect("a module") {
                Payload::CodeSectionStart { range, .. } => code = range.start as u32,
                Payload::CustomSection(section) if section.name().starts_with(".debug_") => {
                    let start = section.data_offset();
                    debug.push(start..start + section.data().len());
                }
                _ => {}
            }
        }
        (code, debug)
    }

    #[test]
    fn trap_locations_match_the_source() {
        let (code, _) = layout();
        let offsets: Vec<u32> = (code..code + 10 * MAX_OFFSETS as u32).collect();
        let located = offsets.chunks(MAX_OFFSETS).map(|offsets| locate(DIVIDES, offsets));
        let found: Vec<Vec<SourceLocation>> = located.flatten().collect();
        assert_eq!(found.len(), offsets.len());
        let beyond = locate(DIVIDES, &offsets).split_off(MAX_OFFSETS);
        assert!(beyond.iter().all(Vec::is_empty), "no more than that are looked up at once");
        let lines = found.iter().flatten().map(|place| (place.file.as_str(), place.line));
        let lines: std::collections::BTreeSet<_> = lines.collect();
        assert!(lines.contains(&("./divides.c", 8)), "{lines:?}");
        let inlined = found.iter().flatten().find(|place| place.inlined.is_some());
        assert_eq!(inlined.and_then(|place| place.inlined.as_deref()), Some("helper"));
        assert_eq!(locate(b"nothing", &[1, 2]), vec![Vec::new(); 2]);
        assert_eq!(locate(DIVIDES, &[0, u32::MAX]), vec![Vec::new(); 2]);
    }

    #[test]
    fn damaged_debug_information_loses_only_locations() {
        let (code, debug) = layout();
        let offsets: Vec<u32> = (code..code + 200).step_by(16).collect();
        assert!(debug.len() > 2);
        for at in debug.into_iter().flatten() {
            for byte in [0, 0x7f, 0xff] {
                let mut module = DIVIDES.to_vec();
                module[at] = byte;
                assert_eq!(locate(&module, &offsets).len(), offsets.len());
            }
        }
    }
}
