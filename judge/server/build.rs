//! Packs the kits for bots into archives for the page for beginners. The same sources give the same
//! bytes.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipWriter};

/// The folder of the kits.
const KITS: &str = "../../sdk";

/// The kits, by their folders.
const NAMES: [&str; 7] = ["assemblyscript", "c", "cpp", "go", "javascript", "python", "rust"];

/// Added to every archive, because the kits refer to it.
const PROTOCOL: &str = "PROTOCOL.md";

/// Folders created by tools, which are not part of a kit, as in `sdk/.gitignore`.
const MADE: [&str; 2] = ["node_modules", "__pycache__"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={KITS}/{PROTOCOL}");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    for name in NAMES {
        println!("cargo:rerun-if-changed={KITS}/{name}");
        pack(name, &out.join(format!("{name}.zip")))?;
    }
    Ok(())
}

/// Writes the archive of a kit.
fn pack(name: &str, to: &Path) -> Result<(), Box<dyn Error>> {
    let mut files = vec![PathBuf::from(PROTOCOL)];
    list(&Path::new(KITS).join(name), Path::new(name), &mut files)?;
    files.sort();
    let mut archive = ZipWriter::new(File::create(to)?);
    for file in files {
        let from = Path::new(KITS).join(&file);
        // Independent of the modification times and permissions of this checkout.
        let mode =
            if from.extension().is_some_and(|ending| ending == "sh") { 0o755 } else { 0o644 };
        let options = SimpleFileOptions::default()
            .last_modified_time(DateTime::default())
            .unix_permissions(mode);
        let path = file.to_str().ok_or("a file name is not valid UTF-8")?.replace('\\', "/");
        archive.start_file(format!("sdk/{path}"), options)?;
        std::io::copy(&mut File::open(from)?, &mut archive)?;
    }
    archive.finish()?;
    Ok(())
}

/// Lists the files below a folder, relative to the kits' folder.
fn list(folder: &Path, below: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (name, place) = (entry.file_name(), below.join(entry.file_name()));
        if MADE.iter().any(|made| name == *made) {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => list(&entry.path(), &place, files)?,
            false => files.push(place),
        }
    }
    Ok(())
}
