//! Arguments from a guest to the judge: addresses, lengths and numbers of any size, over both
//! transports.

use arbitrary::Arbitrary;
use judge_core::{Player, PlayerFault, Verdict};
use judge_sandbox::{BotPlayer, Compiled};
use wasm_encoder::Instruction as I;
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, EntityType, ExportKind, ExportSection, Function,
    FunctionSection, ImportSection, Instruction, MemArg, MemorySection, MemoryType, Module,
    TypeSection, ValType,
};

use crate::modules::{LIMITS, SANDBOX};

const PAGE: usize = 64 << 10;

/// Buffer size for a line, and its greatest length.
const LINE: usize = 4096;

/// A bot with these addresses and lengths.
#[derive(Debug, Arbitrary)]
pub struct Buffer {
    pages: u8,
    /// The result of `judge_buffer`.
    address: u32,
    /// The result of `judge_line`.
    length: i32,
    /// A call of `judge.log`.
    log: Option<(u32, u32)>,
    /// A byte to store, with its address.
    byte: Option<(u32, u8)>,
    line: u16,
}

/// Plays a bot with one question.
///
/// # Panics
/// When it does not end as expected from its addresses.
pub fn buffer(bot: &Buffer) {
    let bot = Buffer { pages: bot.pages % 4, line: bot.line % (LINE as u16 + 1), ..*bot };
    let compiled = Compiled::new(&SANDBOX, &bot.module()).expect("a bot");
    let mut player = BotPlayer::new(&compiled, LIMITS);
    let (line, mut answer) = ("x".repeat(bot.line.into()), String::new());
    let result = player.ask(&line, &mut answer).map(|_| answer.as_str());
    assert_eq!(result.map_err(|fault| fault.verdict), bot.expected().as_deref().map_err(|v| *v));
}

impl Buffer {
    fn module(&self) -> Vec<u8> {
        let mut line = Vec::new();
        if let Some((address, length)) = self.log {
            line.extend([constant(address), constant(length), I::Call(0)]);
        }
        if let Some((address, byte)) = self.byte {
            let place = MemArg { offset: 0, align: 0, memory_index: 0 };
            line.extend([constant(address), constant(byte.into()), I::I32Store8(place)]);
        }
        line.push(I::I32Const(self.length));
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32; 2], []);
        types.ty().function([], [ValType::I32]);
        types.ty().function([ValType::I32], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("judge", "log", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        functions.function(1).function(2);
        let mut exports = ExportSection::new();
        exports.export("memory", ExportKind::Memory, 0);
        exports.export("judge_buffer", ExportKind::Func, 1);
        exports.export("judge_line", ExportKind::Func, 2);
        let mut code = CodeSection::new();
        code.function(&body(&[constant(self.address)])).function(&body(&line));
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions);
        module.section(&memory(self.pages)).section(&exports).section(&code);
        module.finish()
    }

    /// The answer, or its verdict.
    fn expected(&self) -> Result<String, Verdict> {
        let mut memory = vec![0; usize::from(self.pages) * PAGE];
        let start = self.address as usize;
        if start + LINE > memory.len() {
            return Err(Verdict::ProtocolError);
        }
        memory[start..][..self.line.into()].fill(b'x');
        if self.log.is_some_and(|(at, length)| at as usize + length as usize > memory.len()) {
            return Err(Verdict::RuntimeError);
        }
        if let Some((address, byte)) = self.byte {
            *memory.get_mut(address as usize).ok_or(Verdict::RuntimeError)? = byte;
        }
        let length = usize::try_from(self.length).map_err(|_| Verdict::ProtocolError)?;
        if length > LINE {
            return Err(Verdict::OutputLimitExceeded);
        }
        let answer = &memory[start..][..length];
        if answer.is_empty() || !answer.iter().all(|byte| (0x20..0x7f).contains(byte)) {
            return Err(Verdict::ProtocolError);
        }
        Ok(String::from_utf8(answer.to_vec()).expect("printable ASCII"))
    }
}

/// WASI functions: name, then a letter for each parameter, `l` for a 64-bit one.
const FUNCTIONS: [(&str, &str); 18] = [
    ("args_get", "ii"),
    ("args_sizes_get", "ii"),
    ("environ_get", "ii"),
    ("environ_sizes_get", "ii"),
    ("clock_res_get", "ii"),
    ("clock_time_get", "ili"),
    ("poll_oneoff", "iiii"),
    ("sched_yield", ""),
    ("random_get", "ii"),
    ("fd_close", "i"),
    ("fd_fdstat_get", "ii"),
    ("fd_filestat_get", "ii"),
    ("fd_read", "iiii"),
    ("fd_write", "iiii"),
    ("fd_seek", "ilii"),
    ("fd_tell", "ii"),
    ("path_open", "iiiiillii"),
    ("proc_exit", "i"),
];

/// A program that makes these calls.
#[derive(Debug, Arbitrary)]
pub struct System {
    pages: u8,
    /// Memory from address 0 on, which may contain lists of buffers.
    data: Vec<u8>,
    /// Indexes of functions, and their arguments.
    calls: Vec<(u8, [u32; 9])>,
}

/// Plays a program through a few lines.
///
/// # Panics
/// When the judge fails, or the program exceeds its limits.
pub fn system(program: &System) {
    let compiled = Compiled::new(&SANDBOX, &program.module()).expect("a program");
    let mut player = BotPlayer::new(&compiled, LIMITS);
    for line in ["seat 1", "discard? 1b", "draw 1b", "discard? 2b"] {
        if let Err(fault) = tell(&mut player, line) {
            assert_ne!(fault.verdict, Verdict::JudgeError, "{}", fault.detail);
            break;
        }
    }
    let usage = player.usage();
    assert!(usage.log.len() as u64 <= LIMITS.log_bytes);
    assert!(usage.peak_memory_bytes <= LIMITS.memory_bytes);
}

fn tell(player: &mut BotPlayer<'_>, line: &str) -> Result<(), PlayerFault> {
    let mut answer = String::new();
    let fuel =
        if line.contains('?') { player.ask(line, &mut answer)? } else { player.notice(line)? };
    assert!(fuel.is_some_and(|fuel| fuel <= LIMITS.fuel), "more than there was: {fuel:?}");
    assert!(answer.len() <= LINE && answer.bytes().all(|byte| (0x20..0x7f).contains(&byte)));
    Ok(())
}

impl System {
    fn module(&self) -> Vec<u8> {
        let (mut types, mut imports) = (TypeSection::new(), ImportSection::new());
        for (number, (name, parameters)) in (0..).zip(FUNCTIONS) {
            let parameters =
                parameters.bytes().map(|c| if c == b'l' { ValType::I64 } else { ValType::I32 });
            let results = (name != "proc_exit").then_some(ValType::I32);
            types.ty().function(parameters, results);
            imports.import("wasi_snapshot_preview1", name, EntityType::Function(number));
        }
        let start = FUNCTIONS.len() as u32;
        types.ty().function([], []);
        let mut functions = FunctionSection::new();
        functions.function(start);
        let mut exports = ExportSection::new();
        exports.export("memory", ExportKind::Memory, 0);
        exports.export("_start", ExportKind::Func, start);
        let mut code = CodeSection::new();
        let calls: Vec<_> =
            self.calls.iter().flat_map(|(name, values)| call(*name, *values)).collect();
        code.function(&body(&calls));
        let mut data = DataSection::new();
        let room = usize::from(self.pages % 4) * PAGE;
        let kept = self.data.iter().copied().take(room.min(PAGE));
        data.active(0, &ConstExpr::i32_const(0), kept);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions);
        module.section(&memory(self.pages % 4)).section(&exports).section(&code).section(&data);
        module.finish()
    }
}

fn call(number: u8, values: [u32; 9]) -> Vec<Instruction<'static>> {
    let number = usize::from(number) % FUNCTIONS.len();
    let (name, parameters) = FUNCTIONS[number];
    let mut code: Vec<Instruction<'_>> = std::iter::zip(parameters.chars(), values)
        .map(|(kind, value)| if kind == 'l' { I::I64Const(value.into()) } else { constant(value) })
        .collect();
    code.push(I::Call(number as u32));
    if name != "proc_exit" {
        code.push(I::Drop);
    }
    code
}

fn constant(value: u32) -> Instruction<'static> {
    I::I32Const(value as i32)
}

fn body(instructions: &[Instruction<'_>]) -> Function {
    let mut body = Function::new([]);
    for instruction in instructions {
        body.instruction(instruction);
    }
    body.instruction(&I::End);
    body
}

fn memory(pages: u8) -> MemorySection {
    let mut section = MemorySection::new();
    let minimum = pages.into();
    section.memory(MemoryType {
        minimum,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    section
}
