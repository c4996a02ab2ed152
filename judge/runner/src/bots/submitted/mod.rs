//! Classification of submissions, with the same rules for a course, the download of a learning
//! platform, and a single bot.

mod archive_names;
mod code_pages;
mod entry;
mod findings;
mod folder;
pub(crate) mod platform;
mod read;
mod sections;
mod source;
mod unpack;
mod unpack_shares;

pub(crate) use archive_names::KnownWords;
pub(crate) use entry::{NameList, SubmissionEntry, about_copies, has_module_ending};
pub(crate) use findings::{Alike, Findings, PassedOver};
pub(crate) use folder::{entries, hidden_modules, name_of_folder};
pub(crate) use read::read;
pub(crate) use sections::Sections;
pub(crate) use source::{DEEPEST, PASSED_OVER};
pub(crate) use unpack::{Unpacked, is_zip, unpack};
