//! The baseline: a C++ bot as a native library, called directly. The only file outside a guest with
//! an exception from `unsafe_code`: calling into a foreign library is unsafe.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::path::Path;

use judge_core::{Player, PlayerFault};
use judge_games::mahjong::Tile;
use libloading::{Library, Symbol};

/// A brain in a native library (`sdk/cpp/native/library.cpp`).
pub struct NativePlayer<'a> {
    library: &'a Callbacks,
    brain: *mut c_void,
}

/// The library's functions.
pub struct Callbacks {
    new: extern "C" fn() -> *mut c_void,
    free: extern "C" fn(*mut c_void),
    draw: extern "C" fn(*mut c_void, c_int),
    discard: extern "C" fn(*mut c_void) -> c_int,
    opponent: extern "C" fn(*mut c_void, c_int),
    win: extern "C" fn(*mut c_void, c_int, c_int) -> c_int,
    /// Keeps the functions loaded.
    _library: Library,
}

impl Callbacks {
    /// Loads a library that was built from `sdk/cpp/native/library.cpp`.
    ///
    /// # Errors
    /// When it is not such a library.
    pub fn load(path: &Path) -> Result<Callbacks, libloading::Error> {
        // SAFETY: the library was just built from this repository's sources; its constructors do
        // nothing, and its functions have these types (`native/library.cpp`).
        unsafe {
            let library = Library::new(path)?;
            Ok(Callbacks {
                new: *symbol(&library, "judge_new")?,
                free: *symbol(&library, "judge_free")?,
                draw: *symbol(&library, "judge_draw")?,
                discard: *symbol(&library, "judge_discard")?,
                opponent: *symbol(&library, "judge_opponent")?,
                win: *symbol(&library, "judge_win")?,
                _library: library,
            })
        }
    }
}

/// # Safety
/// `T` must be the type of the function of that name.
unsafe fn symbol<'a, T>(
    library: &'a Library,
    name: &str,
) -> Result<Symbol<'a, T>, libloading::Error> {
    // SAFETY: as promised by the caller.
    unsafe { library.get(name) }
}

impl<'a> NativePlayer<'a> {
    /// A new brain for one round.
    pub fn new(library: &'a Callbacks) -> NativePlayer<'a> {
        NativePlayer { brain: (library.new)(), library }
    }

    fn tile(text: &str) -> c_int {
        let bytes = text.as_bytes();
        Tile::from_bytes([bytes[0], bytes[1]]).map_or(0, |tile| c_int::from(tile.to_int()))
    }
}

impl Drop for NativePlayer<'_> {
    fn drop(&mut self) {
        (self.library.free)(self.brain);
    }
}

impl Player for NativePlayer<'_> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        match line.split_once(' ') {
            Some(("draw", tile)) => (self.library.draw)(self.brain, Self::tile(tile)),
            Some(("opponent", tile)) => (self.library.opponent)(self.brain, Self::tile(tile)),
            _ => {}
        }
        Ok(None)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        match line.strip_prefix("win? ") {
            Some(rest) => {
                let own = c_int::from(rest.ends_with("self"));
                let wins = (self.library.win)(self.brain, Self::tile(rest), own) != 0;
                answer.push_str(if wins { "yes" } else { "no" });
            }
            None => {
                let number = (self.library.discard)(self.brain);
                let tile = u8::try_from(number).ok().and_then(Tile::from_int);
                answer.push_str(tile.map_or("?", Tile::name));
            }
        }
        Ok(None)
    }
}
