//! Sources that a server receives, one file each.

use std::path::{Path, PathBuf};

use judge_core::{Explanation, Refused};
use judge_toolchain::confine::{LARGEST_FILE, Staged};
use judge_toolchain::{Language, confine, is_source};

use super::{Builder, Building, Cache, refused};
use crate::Error;
use crate::base::workers::Workers;

/// Longest name of a file to build, in bytes.
const LONGEST_NAME: usize = 120;

/// True for the name of a source. Sources that cannot be built count as well, so that their authors
/// get advice.
pub fn is_source_name(file_name: &str) -> bool {
    is_source(last_part(file_name))
}

/// Builds uploaded sources in confined processes.
#[derive(Debug)]
pub struct UploadBuilder {
    builder: Builder,
    languages: Vec<Language>,
}

impl UploadBuilder {
    /// Tests the confinement, and looks for compilers. Built modules are kept in the cache.
    ///
    /// # Errors
    /// If this machine cannot confine builds.
    pub fn open(workers: &Workers, cache: Cache) -> Result<UploadBuilder, Error> {
        let building = Building::Confined { seconds: confine::SECONDS };
        let builder = building.open_with(workers, cache)?.expect("sources are wanted");
        let is_installed = |language: &Language| builder.confined.is_installed(*language);
        let languages = Language::ALL.iter().copied().filter(is_installed).collect();
        Ok(UploadBuilder { builder, languages })
    }

    /// The languages of which this machine builds sources.
    pub fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// Prepares all compilers, which takes seconds for some. Returns those that do not work, with
    /// the reason.
    pub fn warm_up(&self) -> Vec<(Language, String)> {
        let prepare = |language: &Language| {
            let failure = self.builder.confined.prepare(*language).err()?;
            Some((*language, failure.to_string()))
        };
        self.languages.iter().filter_map(prepare).collect()
    }

    /// Builds a source. Its name decides the language.
    ///
    /// # Errors
    /// If the build fails; the refusal states the party to blame.
    pub fn module(&self, file_name: &str, source: Vec<u8>) -> Result<Vec<u8>, Refused> {
        if source.len() as u64 > LARGEST_FILE {
            let most = LARGEST_FILE >> 20;
            let reason = format!("the source has {} bytes; the most is {most} MiB", source.len());
            let hint = "submit the built module";
            return Err(Refused::new(Explanation::new(reason, hint)));
        }
        let main = file_of(file_name);
        match Language::from_path(&main) {
            Ok(language) if confine::offered(language).is_err() => {}
            Ok(language) if self.languages.contains(&language) => {}
            Ok(language) => return Err(self.not_built(&format!("sources in {language}"))),
            Err(_) => return Err(self.not_built(&format!("files like `{}`", main.display()))),
        }
        let staged = Staged { files: vec![(main.clone(), source)], main };
        self.builder.confined.build(&staged).map_err(refused)
    }

    /// The refusal of such sources: their compiler is not on this machine, or the judge knows none.
    fn not_built(&self, sources: &str) -> Refused {
        let others: Vec<&str> = self.languages.iter().map(|language| language.title()).collect();
        let reason = format!("{sources} are not built here");
        let hint = format!("submit the built module, or a source in {}", others.join(", "));
        Refused::new(Explanation::new(reason, hint))
    }
}

/// The part of a name after the folders, whichever system it comes from.
fn last_part(file_name: &str) -> &Path {
    Path::new(file_name.rsplit(['/', '\\']).next().unwrap_or_default())
}

/// The file to build. A name that a file cannot have becomes `bot`, with the same ending.
fn file_of(file_name: &str) -> PathBuf {
    let name = last_part(file_name);
    let is_usual = |name: &str| name.len() <= LONGEST_NAME && !name.contains(char::is_control);
    match name.to_str().filter(|name| is_usual(name)) {
        Some(name) => PathBuf::from(name),
        None => Path::new("bot").with_extension(name.extension().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_to_build_has_a_name_without_folders_and_control_characters() {
        let file = |name: &str| file_of(name).to_str().expect("text").to_owned();
        assert_eq!(file("brain.cpp"), "brain.cpp");
        assert_eq!(file("C:\\bots\\my brain.CPP"), "my brain.CPP");
        assert_eq!(file("../../etc/bot.py"), "bot.py");
        assert_eq!(file("a\0b.zig"), "bot.zig");
        assert_eq!(file(&format!("{}.js", "x".repeat(300))), "bot.js");
        assert!(is_source_name("x/bot.c") && is_source_name("Bot.java"));
        assert!(!is_source_name("bot.wasm") && !is_source_name("") && !is_source_name(".."));
    }
}
