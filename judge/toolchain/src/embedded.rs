//! Files embedded in the judge that go into modules: kits, and interpreters with their libraries.

use include_dir::Dir;
use judge_core::{Digest, digest};

/// The files of a folder, recursively, by their paths with `prefix` in front.
pub(crate) fn files(folder: &'static Dir<'_>, prefix: &str) -> Vec<(String, &'static [u8])> {
    let own = folder.files();
    let own = own.map(|file| (format!("{prefix}{}", file.path().display()), file.contents()));
    own.chain(folder.dirs().flat_map(|inner| files(inner, prefix))).collect()
}

/// Hash of files and their paths.
pub(crate) fn hash(files: impl Iterator<Item = (String, &'static [u8])>) -> Digest {
    let all = files.flat_map(|(path, bytes)| [path.into_bytes(), bytes.to_vec()]);
    digest(&all.collect::<Vec<_>>().concat())
}
