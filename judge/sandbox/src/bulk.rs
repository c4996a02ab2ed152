//! Offsets of a module's bulk operators, which work on many bytes or elements, and trap if their
//! length leads out of the memory or table.

use wasmparser::{BinaryReaderError, Operator, Parser, Payload};
use wasmtime::{Trap, WasmBacktrace};

/// Bit of an offset that marks an operator on a table. Real offsets are far smaller.
const TABLE: u32 = 1 << 31;

/// The offsets of these operators in a module, ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bulk(Vec<u32>);

impl Bulk {
    /// Finds them in a module that passed intake.
    pub(crate) fn from_module(module: &[u8]) -> Result<Bulk, BinaryReaderError> {
        let mut places = Vec::new();
        for payload in Parser::new(0).parse_all(module) {
            let Payload::CodeSectionEntry(body) = payload? else { continue };
            for operator in body.get_operators_reader()?.into_iter_with_offsets() {
                let (operator, offset) = operator?;
                // Modules have a few megabytes, so the cast never truncates.
                places.extend(kind(&operator).map(|kind| kind | offset as u32));
            }
        }
        Ok(Bulk(places))
    }

    /// The trap of the operator at which a call failed, if it is a bulk operator.
    pub(crate) fn trap_at(&self, error: &wasmtime::Error) -> Option<Trap> {
        let frame = error.downcast_ref::<WasmBacktrace>()?.frames().first()?;
        let offset = u32::try_from(frame.module_offset()?).ok()?;
        let found = self.0.binary_search_by_key(&offset, |place| place & !TABLE).ok()?;
        Some(match self.0[found] & TABLE {
            0 => Trap::MemoryOutOfBounds,
            _ => Trap::TableOutOfBounds,
        })
    }

    /// Appends the offsets to machine code.
    pub(crate) fn write(&self, code: &mut Vec<u8>) {
        code.extend(self.0.iter().flat_map(|place| place.to_le_bytes()));
        code.extend((self.0.len() as u32).to_le_bytes());
    }

    /// Reads the offsets from the end of machine code, and returns the rest.
    pub(crate) fn read(code: &[u8]) -> Option<(&[u8], Bulk)> {
        let (code, count) = code.split_last_chunk()?;
        let bytes = (u32::from_le_bytes(*count) as usize).checked_mul(4)?;
        let (code, places) = code.split_at_checked(code.len().checked_sub(bytes)?)?;
        let (places, _) = places.as_chunks();
        Some((code, Bulk(places.iter().map(|place| u32::from_le_bytes(*place)).collect())))
    }
}

fn kind(operator: &Operator<'_>) -> Option<u32> {
    match operator {
        Operator::MemoryFill { .. } | Operator::MemoryCopy { .. } | Operator::MemoryInit { .. } => {
            Some(0)
        }
        Operator::TableFill { .. } | Operator::TableCopy { .. } | Operator::TableInit { .. } => {
            Some(TABLE)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_found_and_survive_machine_code() {
        let text = "(module (memory 1) (table 1 funcref) (func
            (memory.fill (i32.const 0) (i32.const 0) (i32.const 0))
            (table.copy (i32.const 0) (i32.const 0) (i32.const 0))
            (memory.copy (i32.const 0) (i32.const 0) (i32.const 0))))";
        let bulk = Bulk::from_module(&wat::parse_str(text).expect("a module")).expect("a module");
        let kinds: Vec<bool> = bulk.0.iter().map(|place| place & TABLE != 0).collect();
        assert_eq!(kinds, [false, true, false]);
        assert!(bulk.0.is_sorted_by_key(|place| place & !TABLE));
        let mut code = vec![1, 2, 3];
        bulk.write(&mut code);
        assert_eq!(Bulk::read(&code), Some((&[1, 2, 3][..], bulk)));
        assert_eq!(Bulk::read(&[1, 0, 0, 0]), None, "cut off");
    }
}
