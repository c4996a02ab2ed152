//! The module's exports: a request goes into a buffer, a reply comes out of another. The only file
//! of the crate with an exception from `unsafe_code`: declaring symbols counts as unsafe. It runs
//! inside the browser's sandbox, and no address from outside is ever followed.
#![allow(unsafe_code)]

use std::cell::RefCell;

use crate::desk::Desk;

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
    static REQUEST: RefCell<Vec<u8>> = RefCell::default();
    static REPLY: RefCell<String> = RefCell::default();
}

/// Address of room for a request of `length` bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn judge_request(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Does what the request in its room asks for; the length of the reply.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn judge_handle() -> usize {
    let request = REQUEST.take();
    let text = String::from_utf8_lossy(&request);
    let reply = DESK.with_borrow_mut(|desk| desk.handle(&text));
    let length = reply.len();
    REPLY.set(reply);
    length
}

/// Address of the reply.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn judge_reply() -> *const u8 {
    REPLY.with_borrow(|reply| reply.as_ptr())
}
