//! Checks that a server signed a file.

use std::path::{Path, PathBuf};

use super::Failed;
use crate::args::CheckSignature;
use crate::signatures::PublicKey;

pub(super) fn check(arguments: &CheckSignature) -> Result<(), Failed> {
    let key: PublicKey = arguments.key.parse()?;
    let beside = || {
        let mut name = arguments.file.clone().into_os_string();
        name.push(".sig");
        PathBuf::from(name)
    };
    let signature = arguments.signature.clone().unwrap_or_else(beside);
    let (file, signature) = (read(&arguments.file)?, read(&signature)?);
    let about = key.check(&file, &String::from_utf8_lossy(&signature))?;
    println!("`{}` is the file that the server signed", arguments.file.display());
    about.lines().iter().for_each(|line| println!("{line}"));
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, Failed> {
    std::fs::read(path).map_err(|source| Failed::Folder { path: path.to_owned(), source })
}
