//! Names the source of this crate and of `judge-guest` by a hash. Machine code that is kept for later runs carries the name,
//! so that no change of the engine's settings or of the format meets older code.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

fn main() {
    let mut files = Vec::new();
    for folder in ["src", "../guest/src"] {
        println!("cargo:rerun-if-changed={folder}");
        list(Path::new(folder), &mut files);
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        let text = std::fs::read(&file).expect("a source of this crate is readable");
        (file.to_string_lossy(), text).hash(&mut hasher);
    }
    println!("cargo:rustc-env=SANDBOX_SOURCE={:016x}", hasher.finish());
    println!("cargo:rustc-env=SANDBOX_TARGET={}", std::env::var("TARGET").unwrap_or_default());
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of this crate is readable") {
        let path = entry.expect("a folder of this crate is readable").path();
        if path.is_dir() { list(&path, files) } else { files.push(path) }
    }
}
