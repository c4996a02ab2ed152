//! Errors, files, journals, workers and texts that every area uses.

pub(crate) mod address;
pub(crate) mod boards;
pub mod bounds;
pub mod bundled;
pub(crate) mod csv_text;
pub(crate) mod encodings;
pub mod error;
pub mod files;
pub mod irreplaceable;
pub(crate) mod journal;
pub mod list_file;
pub(crate) mod mark_sheet;
pub mod names;
pub(crate) mod new_folder;
pub(crate) mod parts;
pub mod shard;
pub mod styled;
pub mod workers;
