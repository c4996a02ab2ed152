//! The module's exports: a request goes into one buffer, a reply comes from another. The files with
//! exports are the only ones with an exception from `unsafe_code`, because declaring symbols counts as
//! unsafe. They run inside the browser's sandbox and never follow an address from outside.
#![allow(unsafe_code)]

use std::cell::RefCell;

use crate::desk::Desk;

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
    static REQUEST: RefCell<Vec<u8>> = RefCell::default();
    static REPLY: RefCell<String> = RefCell::default();
}

/// Returns the address of a buffer for a request of `length` bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn judge_request(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Executes the request in the buffer; returns the length of the reply.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn judge_handle() -> usize {
    let text = request();
    reply(DESK.with_borrow_mut(|desk| desk.handle(&text)))
}

/// The request in the buffer.
pub(crate) fn request() -> String {
    String::from_utf8_lossy(&REQUEST.take()).into_owned()
}

/// Keeps a reply; returns its length.
pub(crate) fn reply(text: String) -> usize {
    let length = text.len();
    REPLY.set(text);
    length
}

/// Address of the reply.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn judge_reply() -> *const u8 {
    REPLY.with_borrow(|reply| reply.as_ptr())
}
