//! The guest's memory for host functions: an address is only a number until it is checked.

use judge_guest::faults;
use wasmtime::Caller;

use super::super::guest::Guest;
use crate::fuel;
use crate::trap::HostFault;

/// Fuel for any host function. It reflects the wall clock of a call.
pub(crate) const CALL_FUEL: u64 = 100;

/// Fuel for each element of a list in the guest's memory: a buffer of a read or write, a
/// subscription of a poll.
pub(crate) const ELEMENT_FUEL: u64 = 20;

/// Longest list that a host function accepts.
pub(super) const MAX_ELEMENTS: u32 = 1024;

/// Result of a host function: an error number, or an end of the program.
pub(super) type Answered = wasmtime::Result<i32>;

/// Charges fuel before the host does work for the guest.
///
/// # Errors
/// Out of fuel when less than `price` is left.
pub(super) fn charge(caller: &mut Caller<'_, Guest>, price: u64) -> wasmtime::Result<()> {
    fuel::spend(caller, price)
}

/// The guest's memory, and its host data.
///
/// # Errors
/// During instantiation: a start function cannot communicate.
pub(super) fn split<'a>(
    caller: &'a mut Caller<'_, Guest>,
) -> wasmtime::Result<(&'a mut [u8], &'a mut Guest)> {
    match caller.data().memory {
        Some(memory) => Ok(memory.data_and_store_mut(caller)),
        None => Err(HostFault(faults::SYSTEM_IN_START.to_owned()).into()),
    }
}

/// Bytes of the guest's memory.
///
/// # Errors
/// When they are not all inside the memory.
pub(super) fn bytes(memory: &mut [u8], address: u32, count: u32) -> Result<&mut [u8], HostFault> {
    let start = address as usize;
    let range = start.checked_add(count as usize).and_then(|end| memory.get_mut(start..end));
    range.ok_or_else(|| HostFault(faults::system_outside(address, count)))
}

/// Bytes of a number with a fixed size.
fn array<const N: usize>(memory: &mut [u8], address: u32) -> Result<&mut [u8; N], HostFault> {
    let range = bytes(memory, address, N as u32)?;
    Ok(range.try_into().expect("as many bytes as were asked for"))
}

pub(super) fn put_u32(memory: &mut [u8], address: u32, value: u32) -> Result<(), HostFault> {
    *array(memory, address)? = value.to_le_bytes();
    Ok(())
}

pub(super) fn put_u64(memory: &mut [u8], address: u32, value: u64) -> Result<(), HostFault> {
    *array(memory, address)? = value.to_le_bytes();
    Ok(())
}

fn get_u32(memory: &mut [u8], address: u32) -> Result<u32, HostFault> {
    array(memory, address).map(|bytes| u32::from_le_bytes(*bytes))
}

/// A buffer of a read or write: address and length.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) address: u32,
    pub(super) length: u32,
}

/// Piece number `index` of a list.
pub(super) fn piece(memory: &mut [u8], list: u32, index: u32) -> Result<Piece, HostFault> {
    // Lists are bounded, so only the address can be too large, and that is outside anyway.
    let at = list.saturating_add(8 * index);
    let [address, length] = [get_u32(memory, at)?, get_u32(memory, at.saturating_add(4))?];
    bytes(memory, address, length)?;
    Ok(Piece { address, length })
}
