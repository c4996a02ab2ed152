//! Cargo's home: packages, without the user's build settings.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Scratch;
use crate::tool::Tool;
use crate::{BuildError, Cache, are_projects_trusted};

/// Shared parts of the user's home: downloaded packages, and their locks.
#[cfg(unix)]
const SHARED: &[&str] = &["registry", "git"];
#[cfg(unix)]
const LOCKS: &[&str] = &[".package-cache", ".package-cache-mutate"];

/// Settings of the user for downloading packages. Any other setting could change the module.
const SETTINGS: &[&str] = &["http", "net", "registries", "registry", "source"];

/// The folder with cargo's packages, and its working folder.
pub(super) struct Home {
    /// `CARGO_HOME`.
    pub(super) path: PathBuf,
    /// Cargo reads settings, and rustup its choice of compiler, from here upwards.
    folder: PathBuf,
    _scratch: Option<Scratch>,
}

impl Home {
    /// The user's own home for a trusted project, else one without build settings.
    pub(super) fn new(project: &Path, cache: &Cache) -> Result<Home, BuildError> {
        let users = of_user();
        if are_projects_trusted() {
            let path = users.unwrap_or_default();
            return Ok(Home { path, folder: project.to_owned(), _scratch: None });
        }
        let (path, scratch) = match cache.folder("cargo") {
            Some(kept) => (kept, None),
            None => {
                let scratch = Scratch::new("cargo-");
                let scratch = scratch.map_err(BuildError::writing(&std::env::temp_dir()))?;
                (scratch.path().to_owned(), Some(scratch))
            }
        };
        if let Some(users) = users {
            share(&users, &path).map_err(BuildError::writing(&path))?;
        }
        // Only an administrator can create files there.
        let root = if cfg!(unix) { PathBuf::from("/") } else { path.clone() };
        Ok(Home { path, folder: root, _scratch: scratch })
    }

    /// A command of cargo or rustc.
    pub(super) fn command(&self, tool: &Tool) -> Command {
        let mut command = tool.command();
        command.current_dir(&self.folder).env("CARGO_HOME", &self.path);
        command
    }
}

fn of_user() -> Option<PathBuf> {
    let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    let of_home = || std::env::var_os(home).map(|home| PathBuf::from(home).join(".cargo"));
    let named = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    named.or_else(of_home).filter(|path| path.is_absolute())
}

/// Shares packages of the user's home with another one, and the settings for downloading more.
fn share(users: &Path, path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    for name in SHARED.iter().chain(LOCKS) {
        let own = path.join(name);
        if std::fs::symlink_metadata(&own).is_ok() {
            continue;
        }
        if SHARED.contains(name) {
            std::fs::create_dir_all(users.join(name))?;
        }
        match std::os::unix::fs::symlink(users.join(name), &own) {
            // Another build was faster.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
    }
    let settings = ["config.toml", "config"].map(|name| users.join(name));
    let text = settings.iter().find_map(|file| std::fs::read_to_string(file).ok());
    let own = path.join("config.toml");
    let settings = text.map(|text| of_fetching(&text)).unwrap_or_default();
    if std::fs::read_to_string(&own).unwrap_or_default() != settings {
        std::fs::write(own, settings)?;
    }
    Ok(())
}

/// The settings for downloading packages.
fn of_fetching(text: &str) -> String {
    let mut all: toml::Table = text.parse().unwrap_or_default();
    all.retain(|name, _| SETTINGS.contains(&name));
    all.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_settings_for_downloads_are_kept() {
        let text = "[build]\nrustc-wrapper = \"evil\"\n[net]\noffline = true\n\
                    [source.crates-io]\nreplace-with = \"mirror\"\n[profile.release]\nopt-level = 0\n";
        let kept: toml::Table = of_fetching(text).parse().expect("settings");
        assert_eq!(kept.keys().collect::<Vec<_>>(), ["net", "source"]);
        assert_eq!(of_fetching("not [ toml"), "");
    }
}
