//! Standard input, output and error.

use judge_guest::answer::MAX_OUTPUT;
use judge_guest::wasi::Errno;
use wasmtime::Caller;

use super::super::ProgramEnd;
use super::super::guest::{self, Guest};
use super::memory::{
    Answered, ELEMENT_FUEL, MAX_ELEMENTS, Piece, bytes, charge, piece, put_u32, put_u64, split,
};

const STDIN: usize = 0;
const STDOUT: usize = 1;
const STDERR: usize = 2;

/// The kind of a descriptor: a terminal, so that programs flush each line instead of buffering
/// their answers.
const CHARACTER_DEVICE: u8 = 2;

/// The rights of a descriptor: read, write, query its state, wait. Without the right to seek,
/// libraries recognize a terminal.
const RIGHTS: u64 = 1 << 1 | 1 << 6 | 1 << 21 | 1 << 27;

/// The standard descriptor of this number, if it is open.
fn open(guest: &Guest, descriptor: i32) -> Option<usize> {
    let index = usize::try_from(descriptor).ok()?;
    guest.open.get(index)?.then_some(index)
}

/// Charges the fuel for the elements of a list.
fn charge_list(caller: &mut Caller<'_, Guest>, count: u32) -> wasmtime::Result<()> {
    charge(caller, ELEMENT_FUEL * u64::from(count))
}

/// Reads the available input; waits for the judge if there is none.
pub(super) async fn read(
    mut caller: Caller<'_, Guest>,
    (descriptor, list, count, out): (i32, i32, i32, i32),
) -> Answered {
    let (list, count, out) = (list as u32, count as u32, out as u32);
    super::enter(&mut caller)?;
    if open(caller.data(), descriptor) != Some(STDIN) {
        return Ok(Errno::Badf.code());
    }
    if count > MAX_ELEMENTS {
        return Ok(Errno::Inval.code());
    }
    charge_list(&mut caller, count)?;
    if pieces(&mut caller, list, count)? == 0 {
        let (memory, _) = split(&mut caller)?;
        put_u32(memory, out, 0)?;
        return Ok(Errno::Success.code());
    }
    let pipes = &caller.data().pipes;
    if pipes.unread().is_empty() && !pipes.end_of_input {
        guest::wait(&mut caller).await?;
    }
    let moved = fill(&mut caller, list, count)?;
    charge(&mut caller, u64::from(moved))?;
    put_u32(split(&mut caller)?.0, out, moved)?;
    Ok(Errno::Success.code())
}

/// Total length of all buffers in a list, each of which is inside the memory.
fn pieces(caller: &mut Caller<'_, Guest>, list: u32, count: u32) -> wasmtime::Result<u64> {
    let (memory, _) = split(caller)?;
    let mut total = 0;
    for index in 0..count {
        total += u64::from(piece(memory, list, index)?.length);
    }
    Ok(total)
}

/// Copies input into the buffers; returns the number of bytes.
fn fill(caller: &mut Caller<'_, Guest>, list: u32, count: u32) -> wasmtime::Result<u32> {
    let (memory, guest) = split(caller)?;
    let mut moved = 0;
    for index in 0..count {
        let unread = guest.pipes.unread();
        let Piece { address, length } = piece(memory, list, index)?;
        let part = unread.len().min(length as usize);
        bytes(memory, address, part as u32)?.copy_from_slice(&unread[..part]);
        guest.pipes.read += part;
        moved += part as u32;
    }
    Ok(moved)
}

/// Appends to the output, which is bounded, or to the log, which drops the excess.
pub(super) fn write(
    mut caller: Caller<'_, Guest>,
    descriptor: i32,
    list: i32,
    count: i32,
    out: i32,
) -> Answered {
    let (list, count, out) = (list as u32, count as u32, out as u32);
    super::enter(&mut caller)?;
    let Some(index @ (STDOUT | STDERR)) = open(caller.data(), descriptor) else {
        return Ok(Errno::Badf.code());
    };
    if count > MAX_ELEMENTS {
        return Ok(Errno::Inval.code());
    }
    charge_list(&mut caller, count)?;
    let total = pieces(&mut caller, list, count)?;
    charge(&mut caller, total)?;
    let Ok(written) = u32::try_from(total) else { return Ok(Errno::Inval.code()) };
    let (memory, guest) = split(&mut caller)?;
    for index_in_list in 0..count {
        let Piece { address, length } = piece(memory, list, index_in_list)?;
        let text = bytes(memory, address, length)?;
        match index {
            STDOUT => print(guest, text)?,
            _ => guest.pipes.log.append(text),
        }
    }
    put_u32(memory, out, written)?;
    Ok(Errno::Success.code())
}

fn print(guest: &mut Guest, text: &[u8]) -> Result<(), ProgramEnd> {
    let output = &mut guest.pipes.output;
    let room = MAX_OUTPUT - output.len();
    output.extend_from_slice(&text[..text.len().min(room)]);
    if text.len() > room { Err(ProgramEnd::Flood) } else { Ok(()) }
}

pub(super) fn close(mut caller: Caller<'_, Guest>, descriptor: i32) -> Answered {
    super::enter(&mut caller)?;
    let Some(index) = open(caller.data(), descriptor) else { return Ok(Errno::Badf.code()) };
    caller.data_mut().open[index] = false;
    Ok(Errno::Success.code())
}

/// Returns the error for asking for a position in a stream.
pub(super) fn position(mut caller: Caller<'_, Guest>, descriptor: i32) -> Answered {
    super::enter(&mut caller)?;
    let known = open(caller.data(), descriptor).is_some();
    Ok(if known { Errno::Spipe } else { Errno::Badf }.code())
}

/// `fd_fdstat_get`: kind, flags and rights, in 24 bytes.
pub(super) fn fdstat(mut caller: Caller<'_, Guest>, descriptor: i32, out: i32) -> Answered {
    super::enter(&mut caller)?;
    if open(caller.data(), descriptor).is_none() {
        return Ok(Errno::Badf.code());
    }
    let (memory, _) = split(&mut caller)?;
    let out = bytes(memory, out as u32, 24)?;
    out.fill(0);
    out[0] = CHARACTER_DEVICE;
    put_u64(out, 8, RIGHTS)?;
    Ok(Errno::Success.code())
}

/// `fd_filestat_get`: kind, size and times, in 64 bytes; all 0 but the kind.
pub(super) fn filestat(mut caller: Caller<'_, Guest>, descriptor: i32, out: i32) -> Answered {
    super::enter(&mut caller)?;
    if open(caller.data(), descriptor).is_none() {
        return Ok(Errno::Badf.code());
    }
    let (memory, _) = split(&mut caller)?;
    let out = bytes(memory, out as u32, 64)?;
    out.fill(0);
    out[16] = CHARACTER_DEVICE;
    Ok(Errno::Success.code())
}
