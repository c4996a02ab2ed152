//! Compresses what the pages load, and rebuilds the library when a bundled suite, hostile case,
//! template or kit changes. Cargo watches whole folders, so that new files count as changes, too.

use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// The folder of the built files of the pages.
const BUILT: &str = "../browser/prebuilt";

/// Files of several hundred KiB.
const LARGE: [&str; 3] = ["codemirror.js", "judge-browser.wasm", "judge-grade.wasm"];

/// Folders that are part of the library.
const BUNDLED: [&str; 7] = [
    "../../testcases",
    "../hostile-corpus",
    "../../sdk/templates",
    "../../sdk/go",
    "../../sdk/assemblyscript/assembly",
    "../../sdk/javascript/types",
    "../../sdk/python/judge_bot",
];

fn main() -> Result<(), Box<dyn Error>> {
    for folder in BUNDLED {
        println!("cargo:rerun-if-changed={folder}");
    }
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    for name in LARGE {
        let from = Path::new(BUILT).join(name);
        println!("cargo:rerun-if-changed={}", from.display());
        let to = File::create(out.join(name))?;
        let mut packed = ZlibEncoder::new(to, Compression::best());
        std::io::copy(&mut File::open(from)?, &mut packed)?;
        packed.finish()?;
    }
    Ok(())
}
