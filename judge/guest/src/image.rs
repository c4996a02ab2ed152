//! The initial data of a module's memory, in few pieces. The linker of Go writes a segment for each
//! piece between zeros, 31,000 for a large program, and the engine compiles a copy for each. A
//! memory starts with zeros, so segments close to each other are joined.

use std::ops::Range;

use wasm_encoder::{ConstExpr, DataSection, Section};
use wasmparser::{BinaryReaderError, DataKind, DataSectionReader, Operator, Parser, Payload};

use crate::PAGE;

/// Number of segments up to which a module stays unchanged.
const FEW: u32 = 1_000;

/// Most zeros between two joined segments.
const GAP: usize = 256;

/// Pieces of memory in ascending order, with zeros around them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Image(Vec<(usize, Vec<u8>)>);

impl Image {
    /// The image that the segments make in a memory of `pages` pages. None for few segments, and if
    /// a segment's offset is not a constant inside the memory.
    ///
    /// The module must have no section that counts its segments: then no operator refers to one.
    pub(crate) fn from_section(section: &DataSectionReader<'_>, pages: u64) -> Option<Image> {
        let end = usize::try_from(pages.saturating_mul(PAGE)).ok()?;
        if section.count() <= FEW {
            return None;
        }
        let mut placed = Vec::new();
        for data in section.clone() {
            let data = data.ok()?;
            match data.kind {
                DataKind::Active { memory_index: 0, offset_expr } => {
                    let mut operators = offset_expr.get_operators_reader();
                    let Operator::I32Const { value } = operators.read().ok()? else { return None };
                    let Operator::End = operators.read().ok()? else { return None };
                    let start = value as u32 as usize;
                    (start + data.data.len() <= end).then(|| placed.push((start, data.data)))?;
                }
                DataKind::Active { .. } => return None,
                DataKind::Passive => {}
            }
        }
        Some(Image::laid(&placed))
    }

    /// Lays segments in order: a later one overwrites earlier ones.
    fn laid(placed: &[(usize, &[u8])]) -> Image {
        let filled = placed.iter().filter(|(_, data)| !data.is_empty());
        let ranges = filled.clone().map(|(start, data)| *start..start + data.len());
        let zeros = |range: Range<usize>| (range.start, vec![0; range.len()]);
        let mut image = Image(joined(ranges.collect()).into_iter().map(zeros).collect());
        for (start, data) in filled {
            let after = image.0.partition_point(|(first, _)| first <= start);
            let (first, piece) = &mut image.0[after - 1];
            piece[start - *first..][..data.len()].copy_from_slice(data);
        }
        image
    }

    /// Number of pieces.
    pub(crate) fn pieces(&self) -> usize {
        self.0.len()
    }
}

/// Ranges that cover the given ones, each far from the next.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end + GAP => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// A module that passed intake, with its data in few pieces; none if it stays unchanged.
///
/// # Errors
/// When the module is not valid.
pub fn joined_data(module: &[u8]) -> Result<Option<Vec<u8>>, BinaryReaderError> {
    let (mut pages, mut before) = (0, 8);
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        match &payload {
            Payload::DataCountSection { .. } => return Ok(None),
            Payload::MemorySection(section) => {
                for memory in section.clone() {
                    pages = memory?.initial;
                }
            }
            Payload::DataSection(section) => {
                let after = section.range().end;
                return Ok(Image::from_section(section, pages).map(|image| {
                    let mut data = DataSection::new();
                    for (start, piece) in image.0 {
                        data.active(0, &ConstExpr::i32_const(start as i32), piece);
                    }
                    let mut written = module[..before].to_vec();
                    data.append_to(&mut written);
                    written.extend(&module[after..]);
                    written
                }));
            }
            _ => {}
        }
        if let Some((_, range)) = payload.as_section() {
            before = range.end;
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module's memory after all its segments.
    fn memory(module: &[u8]) -> Vec<u8> {
        let mut memory = vec![0; PAGE as usize];
        for payload in Parser::new(0).parse_all(module) {
            let Payload::DataSection(section) = payload.expect("a module") else { continue };
            for data in section {
                let data = data.expect("a segment");
                let DataKind::Active { offset_expr, .. } = data.kind else { continue };
                let first = offset_expr.get_operators_reader().read().expect("an offset");
                let Operator::I32Const { value } = first else { panic!("{first:?}") };
                memory[value as usize..][..data.data.len()].copy_from_slice(data.data);
            }
        }
        memory
    }

    fn segments(module: &[u8]) -> u32 {
        let payloads = Parser::new(0).parse_all(module).map(|payload| payload.expect("a module"));
        let count = |payload| match payload {
            Payload::DataSection(section) => Some(section.count()),
            _ => None,
        };
        payloads.filter_map(count).sum()
    }

    fn module(fields: &str, segments: &str) -> Vec<u8> {
        let text = format!("(module (memory 1) {fields} {segments} (func $last))");
        wat::parse_str(text).expect("a module")
    }

    #[test]
    fn joined_segments_give_the_same_memory() {
        // Segments out of order, overlapping, empty, near and far.
        let many: String = (0..1200_u32)
            .map(|n| {
                let at = n * 7919 % 20_000;
                let far = if n % 5 == 0 { 40_000 } else { 0 };
                let text = "abcdefg".get(..(n % 8) as usize).unwrap_or_default();
                format!("(data (i32.const {}) \"{text}{}\")", at + far, n % 10)
            })
            .collect();
        let before = module("(global i32 (i32.const 1))", &many);
        let after = joined_data(&before).expect("a module").expect("few pieces");
        assert!(segments(&before) == 1200 && segments(&after) < 100, "{}", segments(&after));
        assert!(memory(&before) == memory(&after));
        assert!(after.len() < before.len() + 60_000);
        wasmparser::validate(&after).expect("valid");
    }

    #[test]
    fn segments_that_cannot_be_joined_are_kept() {
        let many = "(data (i32.const 8) \"x\")".repeat(1001);
        let stays = |fields: &str, more: &str| {
            joined_data(&module(fields, &format!("{many}{more}"))).expect("a module").is_none()
        };
        assert!(!stays("", ""));
        assert!(!stays("", "(data (i32.const 65535) \"x\")"));
        assert!(stays("", "(data (i32.const 65536) \"x\")"), "outside");
        assert!(stays("(global $g i32 (i32.const 1))", "(data (global.get $g) \"x\")"));
        assert!(stays("(func (data.drop 0))", ""), "referred to");
        assert!(joined_data(&module("", &many[..24 * 1000])).expect("a module").is_none(), "few");
    }
}
