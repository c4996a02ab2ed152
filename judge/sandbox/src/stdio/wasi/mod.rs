//! WASI preview 1, as far as a program needs it to read lines and print lines. It gives no access
//! to the host: no files, no network, no clock.

mod memory;
mod streams;
mod system;

use judge_guest::wasi::{FUNCTIONS, Function, HostReply, MODULE, PROC_EXIT};
use wasmtime::{Caller, FuncType, Linker, Val, ValType};

use super::guest::Guest;
pub(crate) use memory::{CALL_FUEL, ELEMENT_FUEL};

/// Charges the fixed cost of a call, and refuses calls from a start function.
fn enter(caller: &mut Caller<'_, Guest>) -> wasmtime::Result<()> {
    memory::charge(caller, CALL_FUEL)?;
    memory::split(caller).map(|_| ())
}

/// Adds all functions of the table to the linker.
pub(super) fn add_to(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    for function in FUNCTIONS {
        if let HostReply::Always(errno) = function.answer {
            let code = errno.code();
            linker.func_new(MODULE, function.name, signature(linker, function), {
                move |mut caller, _, results| {
                    enter(&mut caller)?;
                    results[0] = Val::I32(code);
                    Ok(())
                }
            })?;
        }
    }
    linker.func_wrap(MODULE, "args_get", system::empty_list)?;
    linker.func_wrap(MODULE, "args_sizes_get", system::empty_sizes)?;
    linker.func_wrap(MODULE, "environ_get", system::empty_list)?;
    linker.func_wrap(MODULE, "environ_sizes_get", system::empty_sizes)?;
    linker.func_wrap(MODULE, "clock_res_get", system::resolution)?;
    linker.func_wrap(MODULE, "clock_time_get", system::time)?;
    linker.func_wrap(MODULE, "poll_oneoff", system::poll)?;
    linker.func_wrap(MODULE, "sched_yield", system::yield_now)?;
    linker.func_wrap(MODULE, "random_get", system::random)?;
    linker.func_wrap(MODULE, PROC_EXIT, system::exit)?;
    linker.func_wrap(MODULE, "fd_close", streams::close)?;
    linker.func_wrap(MODULE, "fd_fdstat_get", streams::fdstat)?;
    linker.func_wrap(MODULE, "fd_filestat_get", streams::filestat)?;
    linker.func_wrap(MODULE, "fd_write", streams::write)?;
    linker.func_wrap(
        MODULE,
        "fd_seek",
        |caller: Caller<'_, Guest>, fd, _: i64, _: i32, _: i32| streams::position(caller, fd),
    )?;
    linker.func_wrap(MODULE, "fd_tell", |caller: Caller<'_, Guest>, fd, _: i32| {
        streams::position(caller, fd)
    })?;
    // The only function that may wait.
    linker.func_wrap_async(MODULE, "fd_read", |caller, arguments| {
        Box::new(streams::read(caller, arguments))
    })?;
    Ok(())
}

fn signature(linker: &Linker<Guest>, function: &Function) -> FuncType {
    let parameters = function.parameters.chars().map(|kind| match kind {
        'I' => ValType::I64,
        _ => ValType::I32,
    });
    FuncType::new(linker.engine(), parameters, [ValType::I32])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compiled, Sandbox};

    #[test]
    fn every_function_of_the_table_is_there_with_its_type() {
        let import = |function: &Function| {
            let parameters: String = function
                .parameters
                .chars()
                .map(|c| if c == 'I' { " i64" } else { " i32" })
                .collect();
            let result = if function.name == PROC_EXIT { "" } else { "(result i32)" };
            let name = function.name;
            format!(r#"(import "{MODULE}" "{name}" (func (param{parameters}) {result}))"#)
        };
        let imports: String = FUNCTIONS.iter().map(import).collect();
        let text =
            format!(r#"(module {imports} (memory (export "memory") 1) (func (export "_start")))"#);
        let module = wat::parse_str(text).expect("a module");
        let sandbox = Sandbox::new().expect("an engine");
        if let Err(error) = Compiled::new(&sandbox, &module) {
            panic!("{error}");
        }
    }
}
