//! The module's exports: a request goes into one buffer, a reply comes from another. The only file
//! of the crate with an exception from `unsafe_code`, because declaring symbols counts as unsafe.
//! It runs inside the browser's sandbox and never follows an address from outside.
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

/// Exports for grading. Requests and replies are texts as above, with bytes in a second buffer; a round
/// has separate exports because it exchanges many short lines.
#[cfg(feature = "grade")]
pub mod grade {
    use std::cell::RefCell;

    use super::{reply, request};
    use crate::grade::{BotEvent, EventFigures, GradeDesk, PageStep};

    thread_local! {
        static DESK: RefCell<GradeDesk> = RefCell::default();
        static BYTES: RefCell<Vec<u8>> = RefCell::default();
    }

    /// Returns the address of a buffer for `length` bytes that come with a request or event.
    #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
    pub extern "C" fn judge_bytes(length: usize) -> *mut u8 {
        BYTES.with_borrow_mut(|bytes| {
            bytes.clear();
            bytes.resize(length, 0);
            bytes.as_mut_ptr()
        })
    }

    /// Number of bytes that came with the last reply, at the address of [`judge_bytes_at`].
    #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
    pub extern "C" fn judge_bytes_length() -> usize {
        BYTES.with_borrow(Vec::len)
    }

    /// Address of the bytes that came with the last reply.
    #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
    pub extern "C" fn judge_bytes_at() -> *const u8 {
        BYTES.with_borrow(Vec::as_ptr)
    }

    /// Executes the request in the buffer; returns the length of the reply.
    #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
    pub extern "C" fn judge_grade() -> usize {
        let text = request();
        let handle = |bytes: &mut Vec<u8>| DESK.with_borrow_mut(|desk| desk.handle(&text, bytes));
        reply(BYTES.with_borrow_mut(handle))
    }

    /// Plays on to the bot's next line, which becomes the reply; returns its length, or 0 if the round is
    /// over.
    #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
    pub extern "C" fn round_next() -> usize {
        DESK.with_borrow_mut(|desk| match &mut desk.round {
            Some(round) => match round.next() {
                true => reply(round.line().to_owned()),
                false => 0,
            },
            None => 0,
        })
    }

    /// Takes an event of the bot, with the bytes in the buffer: its number (`BotEvent`), the remaining
    /// fuel, a code, the globals for the state and the bulk operator, and the memory's size in bytes.
    /// Returns 0 to leave the bot, 1 to send the next line, 2 to end its input.
    #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
    pub extern "C" fn round_event(
        event: u32,
        left: u64,
        code: u32,
        state: i32,
        bulk: i32,
        memory: u32,
    ) -> u32 {
        let event = match event {
            0 => BotEvent::Started,
            1 => BotEvent::Returned,
            2 => BotEvent::Waits,
            3 => BotEvent::Exited,
            _ => BotEvent::Failed,
        };
        let figures =
            EventFigures { left, code, marks: (state, bulk), memory_bytes: u64::from(memory) };
        let bytes = BYTES.take();
        let step = DESK.with_borrow_mut(|desk| desk.event(event, figures, &bytes));
        match step {
            PageStep::Over => 0,
            PageStep::Line => 1,
            PageStep::Finish => 2,
        }
    }

    /// Appends the bytes in the buffer to the bot's log.
    #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
    pub extern "C" fn round_log() {
        let bytes = BYTES.take();
        DESK.with_borrow_mut(|desk| {
            if let Some(round) = &mut desk.round {
                round.log(&bytes);
            }
        });
    }

    /// Puts the bot's next random bytes into the buffer.
    #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
    pub extern "C" fn round_random(count: usize) {
        let bytes =
            DESK.with_borrow_mut(|desk| desk.round.as_mut().map(|round| round.random(count)));
        BYTES.set(bytes.unwrap_or_default());
    }
}
