//! The hostile corpus inside the binary. Each case is a module that misbehaves, or a source that
//! misbehaves during its build, with the expected verdict.

use std::path::Path;

use include_dir::{Dir, include_dir};
use serde::Deserialize;

use crate::Error;

static CORPUS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../hostile-corpus");

/// Extensions of a case's file `bot`: a module, or a source in a language with a common compiler.
const ENDINGS: [&str; 3] = ["wasm", "c", "cpp"];

/// The file `bot` of a case.
pub(super) struct CaseBot {
    /// The file's extension.
    pub(super) ending: &'static str,
    /// The file's content.
    pub(super) bytes: Vec<u8>,
}

impl CaseBot {
    /// True if it must be built.
    pub(super) fn is_source(&self) -> bool {
        self.ending != "wasm"
    }

    /// Finds the file among these that a case has.
    fn find(
        read: impl Fn(&str) -> Result<Option<Vec<u8>>, Error>,
    ) -> Result<Option<CaseBot>, Error> {
        for ending in ENDINGS {
            if let Some(bytes) = read(&format!("bot.{ending}"))? {
                return Ok(Some(CaseBot { ending, bytes }));
            }
        }
        Ok(None)
    }
}

/// A case that was read.
pub(super) struct Case {
    /// The name of its folder.
    pub(super) name: String,
    /// The content of `case.toml`.
    pub(super) expected: Expected,
    /// The bot; none if it is generated.
    pub(super) bot: Option<CaseBot>,
}

/// The content of a hostile case's `case.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expected {
    /// A description for people.
    pub(super) about: String,
    /// The generator of one or several modules, instead of a file.
    pub(super) generator: Option<String>,
    /// The verdict as in reports. Without one, any verdict that does not blame the judge is right.
    pub(super) verdict: Option<String>,
    /// The party to blame, if any.
    pub(super) blame: Option<String>,
    /// Texts that the explanation must contain.
    #[serde(default)]
    pub(super) says: Vec<String>,
    /// The command's exit code.
    pub(super) exit: Option<i32>,
    /// Number of rounds to play.
    #[serde(default = "two")]
    pub(super) rounds: u32,
    /// Fields of the testcase that differ from the defaults.
    #[serde(default)]
    pub(super) testcase: toml::Table,
    /// Limit on the total processor time of judge and workers in milliseconds, an emergency limit
    /// far above the usual time.
    #[serde(default = "a_minute")]
    pub(super) max_processor_ms: u64,
    /// Limit on the memory of the judge and of each worker, in MiB.
    #[serde(default = "half_a_gibibyte")]
    pub(super) max_rss_mb: u64,
}

/// The default number of rounds, which is enough for most kinds of misbehaviour.
fn two() -> u32 {
    2
}

fn a_minute() -> u64 {
    60_000
}

fn half_a_gibibyte() -> u64 {
    512
}

impl Expected {
    /// The text of the testcase. It has little time and memory, but enough for an honest bot.
    pub(super) fn testcase(&self) -> String {
        let mut fields = toml::toml! {
            title = "Hostile rounds"
            game = "mahjong"
            opponent = "random"
            min_score = 1
            points = 1
            limits = { time_ms = 50, memory_kib = 2048 }
        };
        let seeds = (1..=i64::from(self.rounds)).map(toml::Value::from);
        fields.insert("seeds".to_owned(), seeds.collect::<Vec<_>>().into());
        fields.extend(self.testcase.clone());
        fields.to_string()
    }
}

impl Case {
    fn new(name: &str, text: &str, bot: Option<CaseBot>) -> Result<Case, Error> {
        let wrong = |what: &dyn std::fmt::Display| Error::input(Path::new(name), what);
        let expected: Expected = toml::from_str(text).map_err(|error| wrong(&error.message()))?;
        if expected.generator.is_some() == bot.is_some() {
            let what = "a case has either a generator or a file `bot.wasm`, `bot.c` or `bot.cpp`";
            return Err(wrong(&what));
        }
        Ok(Case { name: name.to_owned(), expected, bot })
    }
}

/// Returns all bundled cases, by name.
pub(super) fn bundled() -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    for folder in CORPUS.dirs() {
        let name = folder.path().display().to_string();
        let file = |file: &str| CORPUS.get_file(folder.path().join(file));
        let text = file("case.toml").and_then(|file| file.contents_utf8()).unwrap_or_default();
        let bot = CaseBot::find(|name| Ok(file(name).map(|file| file.contents().to_vec())))?;
        cases.push(Case::new(&name, text, bot)?);
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}

/// Reads all cases in the subfolders of a folder, by name.
pub(super) fn read(corpus: &Path) -> Result<Vec<Case>, Error> {
    let unreadable = |source| Error::Read { path: corpus.to_owned(), source };
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(corpus).map_err(unreadable)? {
        let folder = entry.map_err(unreadable)?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bot = CaseBot::find(|name| {
            let path = folder.join(name);
            path.exists().then(|| Error::read(&path)).transpose()
        })?;
        cases.push(Case::new(&name, &Error::read_text(&folder.join("case.toml"))?, bot)?);
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}
