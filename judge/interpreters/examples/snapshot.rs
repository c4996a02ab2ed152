//! Starts an interpreter once and writes its memory and global variables back into the module, so
//! that every round begins with an interpreter that is ready: it has loaded its kit. `build.sh` runs
//! this; no script is part of it.
//!
//! The bytes depend only on the arguments: the clock is stopped, and random numbers are refused.
#![allow(clippy::print_stderr, reason = "a tool for `build.sh`")]

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use judge_interpreters::{ALL, File, Interpreter, KIT_SECTION};
use wasm_encoder::{CustomSection, Section};
use wasmtime::{
    Caller, Config, Engine, Extern, Instance, Linker, Module, Result, Store, Val, bail,
};
use wasmtime_wizer::{InstanceState, SnapshotVal, ValType, Wizer};

const USAGE: &str = "usage: snapshot LANGUAGE MODULE OUT PREFIX=FOLDER...

Names the files of each folder by their paths in it, with PREFIX in front, and passes them to the
function `snapshot` of the module.";

/// The function that starts an interpreter.
const FUNCTION: &str = "snapshot";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [language, module, out, folders @ ..] = arguments.as_slice() else { bail!("{USAGE}") };
    let Some(interpreter) = ALL.iter().find(|one| one.language.eq_ignore_ascii_case(language))
    else {
        bail!("no interpreter for `{language}`")
    };
    let kit = block(interpreter, folders)?;
    let hash = judge_core::digest(&kit);
    let mut made = snapshot(&std::fs::read(module)?, kit)?;
    CustomSection { name: KIT_SECTION.into(), data: (&hash.bytes()[..]).into() }
        .append_to(&mut made);
    std::fs::write(out, made)?;
    Ok(())
}

/// The files of the folders, in the format of scripts.
fn block(interpreter: &Interpreter, folders: &[String]) -> Result<Vec<u8>> {
    let mut files = Vec::new();
    for folder in folders {
        let Some((prefix, folder)) = folder.split_once('=') else { bail!("{USAGE}") };
        for path in sources(Path::new(folder))? {
            let inside = path.strip_prefix(folder)?.display();
            files.push(File::new(format!("{prefix}{inside}"), std::fs::read(&path)?));
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(interpreter.block(&files))
}

/// The files of a folder, and of the folders in it, in the languages of interpreters.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "js" || ending == "py") {
            found.push(path);
        }
    }
    Ok(found)
}

/// The module after its start.
fn snapshot(module: &[u8], kit: Vec<u8>) -> Result<Vec<u8>> {
    let mut wizer = Wizer::new();
    wizer.init_func(FUNCTION);
    let (context, instrumented) = wizer.instrument(module)?;
    let mut config = Config::new();
    config.cranelift_nan_canonicalization(true);
    let engine = Engine::new(&config)?;
    let module = Module::new(&engine, instrumented)?;
    let mut store = Store::new(&engine, Host { kit, read: 0 });
    let instance = linker(&engine, &module)?.instantiate(&mut store, &module)?;
    instance.get_typed_func::<(), ()>(&mut store, FUNCTION)?.call(&mut store, ())?;
    ready(wizer.snapshot(&context, &mut Started { store, instance }))
}

/// The result of a future that never waits.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("reading an instance's state needs no waiting"),
    }
}

/// An interpreter's standard input: its kit.
struct Host {
    kit: Vec<u8>,
    read: usize,
}

/// The functions of WASI that an interpreter needs at its start. Any other is a trap.
fn linker(engine: &Engine, module: &Module) -> Result<Linker<Host>> {
    const WASI: &str = "wasi_snapshot_preview1";
    let mut linker = Linker::new(engine);
    linker.func_wrap(
        WASI,
        "fd_read",
        |caller: Caller<'_, Host>, file: i32, list: i32, _: i32, count: i32| {
            read(caller, file, list as usize, count as usize)
        },
    )?;
    linker.func_wrap(
        WASI,
        "fd_write",
        |caller: Caller<'_, Host>, _: i32, list: i32, _: i32, count: i32| {
            write(caller, list as usize, count as usize)
        },
    )?;
    linker.func_wrap(
        WASI,
        "clock_time_get",
        |mut caller: Caller<'_, Host>, _: i32, _: i64, to: i32| {
            memory(&mut caller)[to as usize..][..8].fill(0);
            0
        },
    )?;
    linker.define_unknown_imports_as_traps(module)?;
    Ok(linker)
}

fn memory<'a>(caller: &'a mut Caller<'_, Host>) -> &'a mut [u8] {
    match caller.get_export("memory") {
        Some(Extern::Memory(memory)) => memory.data_mut(caller),
        _ => unreachable!("every interpreter exports its memory"),
    }
}

/// A word in memory.
fn word(memory: &[u8], address: usize) -> usize {
    let bytes = memory[address..].first_chunk().expect("an address in memory");
    u32::from_le_bytes(*bytes) as usize
}

/// Reads the kit into the first buffer of a list.
fn read(mut caller: Caller<'_, Host>, file: i32, list: usize, count: usize) -> i32 {
    assert_eq!(file, 0, "an interpreter reads its standard input");
    let Host { kit, read } = caller.data_mut();
    let (kit, from) = (std::mem::take(kit), *read);
    let memory = memory(&mut caller);
    let (start, room) = (word(memory, list), word(memory, list + 4));
    let size = room.min(kit.len() - from);
    memory[start..][..size].copy_from_slice(&kit[from..][..size]);
    memory[count..][..4].copy_from_slice(&(size as u32).to_le_bytes());
    *caller.data_mut() = Host { kit, read: from + size };
    0
}

/// Shows an interpreter's output, which is an exception of its kit.
fn write(mut caller: Caller<'_, Host>, list: usize, count: usize) -> i32 {
    let memory = memory(&mut caller);
    let (start, size) = (word(memory, list), word(memory, list + 4));
    eprint!("{}", String::from_utf8_lossy(&memory[start..][..size]));
    memory[count..][..4].copy_from_slice(&(size as u32).to_le_bytes());
    0
}

/// An interpreter after its start.
struct Started {
    store: Store<Host>,
    instance: Instance,
}

impl InstanceState for Started {
    async fn global_get(&mut self, name: &str, _: ValType) -> SnapshotVal {
        let global = self.instance.get_global(&mut self.store, name);
        match global.expect("Wizer has exported it").get(&mut self.store) {
            Val::I32(value) => SnapshotVal::I32(value),
            Val::I64(value) => SnapshotVal::I64(value),
            Val::F32(value) => SnapshotVal::F32(value),
            Val::F64(value) => SnapshotVal::F64(value),
            _ => unreachable!("C has no other global variables"),
        }
    }

    async fn memory_contents(&mut self, name: &str, contents: impl FnOnce(&[u8]) + Send) {
        let memory = self.instance.get_memory(&mut self.store, name);
        contents(memory.expect("Wizer has exported it").data(&self.store));
    }
}
