//! A temporary folder for commands, so that bare names refer to files in it.

use std::path::PathBuf;

use super::{Ran, judge, sample};

/// A folder for commands.
pub(crate) struct Folder(pub(crate) tempfile::TempDir);

impl Folder {
    /// An empty folder.
    pub(crate) fn empty() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// A folder with two bots for Mahjong.
    pub(crate) fn with_bots() -> Folder {
        let folder = Folder::empty();
        for bot in ["mahjong-distance", "mahjong-straightforward"] {
            std::fs::copy(sample(bot), folder.path(&format!("{bot}.wasm"))).unwrap();
        }
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        judge().current_dir(self.0.path()).args(arguments).output().unwrap().into()
    }

    /// Runs a command that ends with 0.
    #[track_caller]
    pub(crate) fn passes(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        ran
    }
}
