//! The module's exports and its one import. The only file of the kit with an exception from
//! `unsafe_code`: declaring symbols counts as unsafe. It runs inside the sandbox.
#![allow(unsafe_code)]

use std::cell::RefCell;

use judge_protocol::MAX_LINE;

use crate::Bot;

/// The line buffer that the judge writes to and reads from between calls.
struct Buffer(RefCell<[u8; MAX_LINE]>);

thread_local! {
    static BUFFER: Buffer = const { Buffer(RefCell::new([0; MAX_LINE])) };
    static BOT: RefCell<Option<Box<dyn Bot>>> = const { RefCell::new(None) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Address of the line buffer, for `judge_buffer`.
pub fn buffer() -> *mut u8 {
    BUFFER.with(|buffer| buffer.0.as_ptr().cast())
}

/// Handles the line of `length` bytes in the buffer, with a bot that `create` makes at the first
/// line; leaves the answer in the buffer and returns its length, for `judge_line`.
pub fn line(length: usize, create: fn() -> Box<dyn Bot>) -> usize {
    BUFFER.with(|buffer| {
        let mut buffer = buffer.0.borrow_mut();
        ANSWER.with_borrow_mut(|answer| {
            answer.clear();
            let text = std::str::from_utf8(&buffer[..length]).unwrap_or("");
            BOT.with_borrow_mut(|bot| bot.get_or_insert_with(create).line(text, answer));
            let count = answer.len().min(MAX_LINE);
            buffer[..count].copy_from_slice(&answer.as_bytes()[..count]);
            count
        })
    })
}

#[cfg(target_family = "wasm")]
pub(crate) fn write_log(text: &str) {
    #[link(wasm_import_module = "judge")]
    unsafe extern "C" {
        #[link_name = "log"]
        safe fn judge_log(pointer: *const u8, length: usize);
    }
    judge_log(text.as_ptr(), text.len());
}

#[cfg(not(target_family = "wasm"))]
pub(crate) fn write_log(text: &str) {
    eprint!("{text}");
}

/// Exports a type that implements [`Bot`] as the module's bot, with its manifest.
#[macro_export]
macro_rules! bot {
    ($create:expr, game: $game:literal, name: $name:literal, author: $author:literal) => {
        /// Address of the line buffer.
        #[cfg(target_family = "wasm")]
        #[unsafe(no_mangle)]
        pub extern "C" fn judge_buffer() -> *mut u8 {
            $crate::export::log_panics();
            $crate::export::buffer()
        }

        /// Handles a line.
        #[cfg(target_family = "wasm")]
        #[unsafe(no_mangle)]
        pub extern "C" fn judge_line(length: usize) -> usize {
            $crate::export::line(length, || Box::new($create))
        }

        /// The module's manifest.
        #[cfg(target_family = "wasm")]
        #[used]
        #[unsafe(link_section = "judge")]
        static JUDGE_MANIFEST: [u8; JUDGE_MANIFEST_TEXT.len()] =
            $crate::export::bytes(JUDGE_MANIFEST_TEXT);

        #[cfg(target_family = "wasm")]
        const JUDGE_MANIFEST_TEXT: &str = concat!(
            r#"{"name":""#,
            $name,
            r#"","author":""#,
            $author,
            r#"","games":[""#,
            $game,
            r#""],"kit":"rust 0.1"}"#
        );
    };
}

/// The text as an array, for a static in a separate section.
pub const fn bytes<const N: usize>(text: &str) -> [u8; N] {
    let text = text.as_bytes();
    let mut bytes = [0; N];
    let mut at = 0;
    while at < N {
        bytes[at] = text[at];
        at += 1;
    }
    bytes
}

/// Makes a later panic write its message and place to the log. Only `judge build` asks for it, by a
/// `cfg`, because it makes a module larger.
#[inline]
pub fn log_panics() {
    #[cfg(judge_tells_panics)]
    std::panic::set_hook(Box::new(|panic| write_log(&format!("{panic}\n"))));
}
