//! Errors, files, journals, workers and texts for all other modules.

pub(crate) mod address;
pub(crate) mod boards;
pub mod bounds;
pub mod bundled;
pub(crate) mod csv_text;
pub(crate) mod encodings;
pub mod error;
pub mod files;
pub(crate) mod journal;
pub mod list_file;
pub(crate) mod list_layout;
pub(crate) mod mark_sheet;
pub mod names;
pub(crate) mod nearest;
pub(crate) mod new_folder;
pub mod protected_files;
pub mod shard;
pub(crate) mod shards;
pub mod styled_text;
pub mod workers;
