//! The hostile corpus inside the binary: each case is a module that misbehaves, or a source that does
//! so while it is built, with the verdict that it must get.

use std::path::Path;

use include_dir::{Dir, include_dir};
use serde::Deserialize;

use crate::Error;

static CORPUS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../tests/adversarial/corpus");

/// Endings of the file `bot` of a case: a module, or a source in a language with a common compiler.
const ENDINGS: [&str; 3] = ["wasm", "c", "cpp"];

/// The file `bot` of a case.
pub(super) struct CaseBot {
    /// Its ending.
    pub(super) ending: &'static str,
    /// Its content.
    pub(super) bytes: Vec<u8>,
}

impl CaseBot {
    /// True if it has to be built.
    pub(super) fn is_source(&self) -> bool {
        self.ending != "wasm"
    }

    /// The one of these files that a case has.
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

/// A case, read.
pub(super) struct Case {
    /// Its folder's name.
    pub(super) name: String,
    /// The content of `case.toml`.
    pub(super) expected: Expected,
    /// The bot; none when it is generated.
    pub(super) bot: Option<CaseBot>,
}

/// `case.toml` of a hostile module.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expected {
    /// Its description, for people.
    pub(super) about: String,
    /// The generator of the module, or of several of them, instead of a file.
    pub(super) generator: Option<String>,
    /// The verdict, as reports write it. Without one any will do that does not blame the judge.
    pub(super) verdict: Option<String>,
    /// The party to blame, if any.
    pub(super) blame: Option<String>,
    /// Words that the explanation must contain.
    #[serde(default)]
    pub(super) says: Vec<String>,
    /// The command's exit code.
    pub(super) exit: Option<i32>,
    /// Number of rounds to play.
    #[serde(default = "two")]
    pub(super) rounds: u32,
    /// Fields of its testcase that differ from those of most cases.
    #[serde(default)]
    pub(super) testcase: toml::Table,
    /// Limit on the processor time of the judge and its workers together, in milliseconds: for
    /// emergencies, and far above what a run takes.
    #[serde(default = "a_minute")]
    pub(super) max_processor_ms: u64,
    /// Limit on the memory of the judge and of each worker, in MiB.
    #[serde(default = "half_a_gibibyte")]
    pub(super) max_rss_mb: u64,
}

/// One round is enough to misbehave, except where rounds matter.
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
    /// The text of the testcase: little time and memory, yet enough for an honest bot.
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

/// All cases in the binary, by name.
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

/// All cases in the folders of a folder, by name.
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
