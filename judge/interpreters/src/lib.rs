//! Interpreters for scripts, compiled to WebAssembly, and the modules that run a script in one.
//!
//! An interpreter is a snapshot: its memory is that after its start, when it has loaded the kit of its
//! language (`build.sh`). A bot in such a language is an ordinary module: the interpreter's own bytes,
//! with the script as one more data segment. [`Interpreter::module_with`] makes it and [`Script::in_module`]
//! recognises it, by making it again. So a recognised module differs from the interpreter only in
//! its script.

mod block;
mod module;

use std::ops::Range;

pub use block::File;

/// Name of the custom section that names the interpreter.
const SECTION: &str = "judge-interpreter";

/// Name of the custom section with the hash of an interpreter's kit.
pub const KIT_SECTION: &str = "judge-kit";

/// An interpreter that ships with the judge.
#[derive(Debug, PartialEq, Eq)]
pub struct Interpreter {
    /// The language of its scripts, for people.
    pub language: &'static str,
    /// Its name and version.
    pub name: &'static str,
    /// Its module, without a script.
    pub module: &'static [u8],
    /// Words to write into the memory of a running script, as addresses and values. They make the
    /// interpreter raise an exception at the script's next step, and print it with its lines.
    pub interruption: &'static [(u32, u32)],
    /// First bytes of a script's block.
    magic: [u8; 4],
}

/// In QuickJS's runtime, `interrupt_handler` and its argument. The handler is the allocator's
/// function, which returns an address, so the interpreter is interrupted.
const JAVASCRIPT_INTERRUPTION: &[(u32, u32)] = &[(448_288, 144), (448_292, 1)];

/// In MicroPython, an exception at an address that no program uses, the bottom of the stack: of the
/// type `GeneratorExit`, which `except Exception` does not catch, with no trace and no arguments.
/// Then `mp_pending_exception`, which names it.
const PYTHON_INTERRUPTION: &[(u32, u32)] =
    &[(64, 277_892), (68, 0), (72, 0), (76, 283_048), (304_732, 64)];

/// QuickJS, for JavaScript.
pub static JAVASCRIPT: Interpreter = Interpreter {
    language: "JavaScript",
    name: "QuickJS-ng 0.16.2",
    module: include_bytes!("../prebuilt/javascript.wasm"),
    interruption: JAVASCRIPT_INTERRUPTION,
    magic: *b"JS\x02\0",
};

/// MicroPython, for Python.
pub static PYTHON: Interpreter = Interpreter {
    language: "Python",
    name: "MicroPython 1.19",
    module: include_bytes!("../prebuilt/python.wasm"),
    interruption: PYTHON_INTERRUPTION,
    magic: *b"PY\x02\0",
};

/// All of them.
pub static ALL: [&Interpreter; 2] = [&JAVASCRIPT, &PYTHON];

impl Interpreter {
    /// The interpreter of a script's block.
    pub fn of_block(block: &[u8]) -> Option<&'static Interpreter> {
        ALL.into_iter().find(|one| block.starts_with(&one.magic))
    }

    /// A module that runs these files: the first is the script, the others are its imports.
    pub fn module_with(&self, files: &[File]) -> Vec<u8> {
        module::with_block(self, &self.block(files))
    }

    /// SHA-256 of the files that the interpreter has loaded, as [`Interpreter::block`] writes them in
    /// the order of their names.
    pub fn kit_hash(&self) -> Option<&'static [u8]> {
        module::custom_section(self.module, KIT_SECTION)
    }

    /// These files as the interpreter reads them in its memory.
    pub fn block(&self, files: &[File]) -> Vec<u8> {
        block::write(self.magic, files)
    }
}

/// A script in the module of an interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script<'a> {
    /// The interpreter.
    pub interpreter: &'static Interpreter,
    /// The script's bytes as they are in memory.
    pub block: &'a [u8],
    /// Their address.
    pub address: u32,
    /// Size of the module's initial memory, in pages of 64 KiB.
    pub pages: u64,
}

impl<'a> Script<'a> {
    /// The script of a module, if the rest of the module is an interpreter of this judge.
    pub fn in_module(module: &'a [u8]) -> Option<Script<'a>> {
        let (interpreter, block) = module::interpreter_and_block(module)?;
        let again = module::with_block(interpreter, &module[block.clone()]);
        let rest = module.strip_prefix(again.as_slice())?;
        if !module::has_only_custom_sections(rest) {
            return None;
        }
        Some(Script::new(interpreter, module, block))
    }

    fn new(interpreter: &'static Interpreter, module: &'a [u8], block: Range<usize>) -> Script<'a> {
        let block = &module[block];
        let base = module::Base::from_interpreter(interpreter);
        Script { interpreter, block, address: base.address(), pages: base.pages_with(block.len()) }
    }

    /// The file that runs first.
    pub fn main(&self) -> Option<File> {
        block::first(self.block)
    }
}
