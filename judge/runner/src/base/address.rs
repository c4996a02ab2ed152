//! Addresses of files in a page: paths relative to the page.

use std::path::{Component, Path};

/// Returns the address of a file relative to a folder, both of which exist; none if no relative
/// path connects them.
pub(crate) fn between(file: &Path, from: &Path) -> Option<String> {
    let parts = steps(file, from)?;
    Some(parts.iter().map(|part| encoded(part)).collect::<Vec<_>>().join("/"))
}

/// Returns the path to a file for a command that runs in a page's folder, or the given path if no
/// relative path exists.
pub(crate) fn seen_from(page: &Path, file: &Path) -> String {
    let folder = page.parent().filter(|folder| !folder.as_os_str().is_empty());
    let steps = steps(file, folder.unwrap_or(Path::new(".")));
    steps.map_or_else(|| file.to_string_lossy().into_owned(), |steps| steps.join("/"))
}

/// The path components from the folder up and down to the file.
fn steps(file: &Path, from: &Path) -> Option<Vec<String>> {
    let (file, from) = (file.canonicalize().ok()?, from.canonicalize().ok()?);
    let (file, from): (Vec<_>, Vec<_>) = (file.components().collect(), from.components().collect());
    let shared = std::iter::zip(&file, &from).take_while(|(one, other)| one == other).count();
    let up = from[shared..].iter().map(|_| Some("..".to_owned()));
    let down = file[shared..].iter().map(|part| match part {
        Component::Normal(name) => name.to_str().map(str::to_owned),
        _ => None,
    });
    up.chain(down).collect()
}

/// Encodes a name as part of an address, with all but the safest characters in hex.
pub(crate) fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let byte = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    name.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(windows, ignore = "no file can have that name")]
    fn relative_addresses_are_escaped_and_never_scripts() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["a/b", "c d"] {
            std::fs::create_dir_all(path(name)).expect("a folder");
        }
        let file = path("c d").join("javascript:x\".html");
        std::fs::write(&file, "").expect("a file");
        let address = |from: &str| between(&file, &path(from)).expect("an address");
        assert_eq!(address("a/b"), "../../c%20d/javascript%3Ax%22.html");
        assert_eq!(address("c d"), "javascript%3Ax%22.html");
        assert_eq!(between(&path("none"), folder.path()), None);
        assert_eq!(seen_from(&path("a/b/page.html"), &file), "../../c d/javascript:x\".html");
        assert_eq!(seen_from(&path("page.html"), Path::new("none")), "none");
    }
}
