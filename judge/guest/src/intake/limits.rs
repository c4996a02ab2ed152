//! Limits on the sizes in a module, and the first check of its bytes.

use super::IntakeRefusal;
pub use crate::allowed::{MAX_TABLE_ELEMENTS, MAX_TABLES};

/// Largest module, in bytes: enough for a program in Go, with its runtime of two million bytes.
pub const MAX_MODULE_BYTES: usize = 4 << 20;

/// Most KiB of function bodies in a module.
pub const MAX_CODE_KIB: u64 = 2048;

/// Most functions with a body.
pub const MAX_FUNCTIONS: u32 = 10_000;

/// Most local variables of one function, without parameters.
pub const MAX_LOCALS: u32 = 5_000;

/// Deepest nesting of loops. Compilers stay far below it. Each loop that may carry every local
/// variable multiplies the compiler's work.
pub const MAX_LOOP_NESTING: u32 = 64;

/// Deepest nesting of blocks: a large `switch` has one for each case.
pub const MAX_NESTING: u32 = 2_000;

/// Most loops of one function times its local variables, for the same reason. A loop counts once
/// for each loop around it, itself included.
pub const MAX_LOOPS_TIMES_LOCALS: u64 = 1_000_000;

/// Most parameters of a function.
pub const MAX_PARAMETERS: usize = 256;

/// Most results of a function, and most parameters and results of a block. Moving these values
/// costs no fuel.
pub const MAX_RESULTS: usize = 8;

/// Largest body of one function, in bytes.
pub const MAX_BODY_BYTES: usize = 128 << 10;

/// Most KiB of weight in one function: compiling it takes memory in proportion.
pub const MAX_FUNCTION_WEIGHT_KIB: u64 = 384;

/// Most square KiB of weight in a module: compile time grows faster than a function's weight.
pub const MAX_SQUARE_KIB: u64 = 150_000;

/// Most KiB of weight of all functions. Weight is bytes plus the additions of `weights.rs` for
/// operators that are expensive to compile.
pub const MAX_WEIGHT_KIB: u64 = 5120;

/// Most KiB of weight of all functions and data segments.
pub const MAX_WORK_KIB: u64 = 5500;

/// Most MiB of memory for compilation, by an estimate.
pub const MAX_MEMORY_MIB: u64 = 300;

/// Most KiB of local variables in all functions, without parameters, used or not. For example, a
/// vector has 16 bytes.
pub const MAX_LOCAL_KIB: u64 = 8192;

/// Most branches of a function times its local variables, over all functions of a module: each
/// variable may have a different value on each path. A loop counts once for each loop around it,
/// itself included.
pub const MAX_BRANCHES_TIMES_LOCALS: u64 = 2_500_000;

/// Most millions of products, summed over all functions, of the moves where paths meet and the
/// values in use where pieces of code begin. A thousand of them take the compiler a tenth of a
/// second.
pub const MAX_JOINS: u64 = 18_000;

/// Most data segments, including empty ones: the linker of Go writes one for each piece between
/// zeros, 31,000 for a large program.
pub const MAX_DATA_SEGMENTS: u32 = 36_000;

/// Most element segments; compilers write one.
pub const MAX_ELEMENT_SEGMENTS: u32 = 1_000;

/// Most types of functions.
pub const MAX_TYPES: u32 = 5_000;

/// Most table elements in all segments: twice a full table.
pub const MAX_ELEMENTS: u64 = 40_000;

/// Most operators that compute offsets of segments and initial values, instead of a single
/// constant. The compiler writes code for each.
pub const MAX_COMPUTED: u64 = 1_000;

/// Most exports.
pub const MAX_EXPORTS: u32 = 100_000;

/// Most parameters and results of all functions together: the compiler writes entry code for each.
pub const MAX_SIGNATURES: u64 = 200_000;

/// Most imports, before each is checked.
pub const MAX_IMPORTS: u32 = 1_000;

/// Most global variables.
pub const MAX_GLOBALS: u32 = 10_000;

const MAGIC: &[u8] = b"\0asm";
const VERSION_MODULE: &[u8] = &[1, 0, 0, 0];

/// Refuses bytes that do not begin like a core module, and names the format that they look like.
pub(super) fn check_kind(bytes: &[u8]) -> Result<(), IntakeRefusal> {
    if bytes.is_empty() {
        return Err(IntakeRefusal::Empty);
    }
    match bytes.strip_prefix(MAGIC) {
        None => Err(IntakeRefusal::NotWasm { looks_like: looks_like(bytes) }),
        Some(_) if bytes.len() > MAX_MODULE_BYTES => {
            Err(IntakeRefusal::TooLarge { bytes: bytes.len() })
        }
        Some(rest) if rest.starts_with(VERSION_MODULE) => Ok(()),
        // The component model sets the second half of the version word.
        Some(rest) if rest.get(2) == Some(&1) => Err(IntakeRefusal::Component),
        Some(_) => Err(IntakeRefusal::Malformed {
            offset: MAGIC.len(),
            reason: "unknown version of the binary format".to_owned(),
        }),
    }
}

fn looks_like(bytes: &[u8]) -> &'static str {
    let kinds: [(&[u8], &str); 9] = [
        (b"\x7fELF", "a native Linux program or library (ELF)"),
        (b"MZ", "a native Windows program (EXE or DLL)"),
        (b"\xcf\xfa\xed\xfe", "a native macOS program (Mach-O)"),
        (b"\xca\xfe\xba\xbe", "a Java class or a universal macOS program"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"PK\x03\x04", "a zip archive"),
        (b"BC\xc0\xde", "LLVM bitcode"),
        (b"!<arch>", "a static library"),
        (b"(module", "WebAssembly text"),
    ];
    let known = kinds.iter().find(|(start, _)| bytes.starts_with(start));
    known.map_or_else(
        || if is_text(bytes) { "a text file" } else { "another kind of file" },
        |k| k.1,
    )
}

fn is_text(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(512)];
    sample.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7e | 0x80..))
}
