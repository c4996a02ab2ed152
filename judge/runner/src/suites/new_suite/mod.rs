//! A new suite for a game, with every key of its files explained.

mod text;

use std::path::{Path, PathBuf};

use judge_games::Game;
use judge_grading::{Suite, SuiteError, Testcase};
use judge_report::quoted;

use crate::Error;
use crate::base::bundled;
use crate::base::new_folder;

/// A suite to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The suite's folder, new or empty.
    pub folder: PathBuf,
    /// The name of the game.
    pub game: String,
}

/// A suite that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The suite's folder.
    pub folder: PathBuf,
    /// The names of its files, `suite.toml` first.
    pub files: Vec<String>,
}

/// A file's name and text.
type NewFile = (String, String);

/// Writes the suite completely or not at all.
///
/// # Errors
/// If the game is unknown, or the folder is not empty or cannot be written.
pub fn run(request: &Request) -> Result<Outcome, Error> {
    let game = judge_referee::find(&request.game)?;
    let files = files(game, &folder_name(&request.folder))?;
    new_folder::refuse_what_is_there(&request.folder)?;
    let bytes = files.iter().map(|(name, text)| (name.clone(), text.clone().into_bytes()));
    new_folder::create(&request.folder, &bytes.collect::<Vec<_>>())?;
    let files = files.into_iter().map(|(name, _)| name).collect();
    Ok(Outcome { folder: request.folder.clone(), files })
}

/// The names and texts of the files.
fn files(game: &'static dyn Game, folder: &str) -> Result<Vec<NewFile>, Error> {
    let mut files = vec![("suite.toml".to_owned(), text::suite(game, folder))];
    for (number, model) in (1..).zip(models(game)?.iter().take(text::TESTCASES)) {
        files.push((format!("{}.toml", model.name), text::testcase(game, model, number)));
    }
    // The files must be a valid suite, otherwise the judge has a bug.
    let texts = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let read = Suite::from_files(folder, texts);
    read.map_err(|error| Error::Judge(format!("the new suite is not valid: {error}")))?;
    Ok(files)
}

/// Testcases to copy conditions from: those of the game's bundled suite, or one against the weakest
/// opponent.
fn models(game: &dyn Game) -> Result<Vec<Testcase>, Error> {
    if let Some(suite) = bundled::suite(game.name()) {
        return Ok(suite?.testcases);
    }
    let (game, opponent) = (game.name(), game.opponents()[0].name);
    let text = format!(
        "title = \"First steps\"\ngame = \"{game}\"\nopponent = \"{opponent}\"\n\
         seeds = [1, 2, 3, 4, 5, 6]\nmin_score = 0\npoints = 20\n"
    );
    Ok(vec![Testcase::parse("01-first-steps.toml", &text).map_err(SuiteError::from)?])
}

/// The folder's name for paths in examples.
fn folder_name(folder: &Path) -> String {
    folder
        .file_name()
        .map_or_else(|| "my-suite".to_owned(), |name| name.to_string_lossy().into_owned())
}

impl Outcome {
    /// Summarizes the new files and the next steps.
    pub fn to_text(&self) -> String {
        // A bare name would mean a bundled suite.
        let mut folder = self.folder.to_string_lossy().into_owned();
        if !folder.ends_with(std::path::is_separator) {
            folder.push('/');
        }
        let folder = quoted(&folder);
        let commands = [
            (format!("judge grade BOT.wasm --suite {folder}"), "play it"),
            (
                format!("judge calibrate WEAK.wasm STRONG.wasm --suite {folder} --write"),
                "choose the thresholds: those in the files are a rough guess",
            ),
            (format!("judge grade SUBMISSIONS/ --suite {folder} --out RESULTS/"), "grade a course"),
        ];
        let width = commands.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
        let commands = commands.map(|(command, what)| format!("  {command:width$}   # {what}\n"));
        format!(
            "wrote {} files into {folder}: {}\nchange them in any editor; every key is explained \
             there. Then:\n{}",
            self.files.len(),
            self.files.join(", "),
            commands.concat()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<(&'static dyn Game, Vec<NewFile>)> {
        let games = judge_games::all().iter();
        games.map(|game| (*game, files(*game, "my-suite").expect("files"))).collect()
    }

    #[test]
    fn every_game_has_a_suite_of_several_testcases_without_doubts() {
        for (game, files) in all() {
            let texts = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
            let suite = Suite::from_files("my-suite", texts).expect("a suite");
            assert_eq!(suite.suite_lints(), [], "{}", game.name());
            let models = models(game).expect("they can be read");
            assert_eq!(suite.testcases.len(), models.len().min(text::TESTCASES));
            for (new, old) in std::iter::zip(&suite.testcases, &models) {
                let conditions = |one: &Testcase| {
                    (one.opponent.clone(), one.seat, one.options.clone(), one.limits, one.rounds)
                };
                assert_eq!(conditions(new), conditions(old), "{}", game.name());
                assert!(new.seeds.iter().all(|seed| !old.seeds.contains(seed)));
            }
        }
    }

    /// Removes `# ` from lines that look like TOML.
    fn uncommented(text: &str) -> String {
        let is_key = |line: &str| {
            let key = line.split_once(" = ").map_or(line, |(key, _)| key);
            !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b"_[]".contains(&b))
        };
        let bare = |line: &str| match line.strip_prefix("# ").filter(|rest| is_key(rest)) {
            Some(rest) => format!("{rest}\n"),
            None => format!("{line}\n"),
        };
        text.lines().map(bare).collect()
    }

    #[test]
    fn commented_settings_of_a_new_suite_work() {
        for (game, mut files) in all() {
            for (name, text) in &mut files {
                let more = uncommented(text);
                assert!(name != "suite.toml" || more.contains("\n[rank]\n"), "{more}");
                *text = more;
            }
            let texts = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
            let suite = Suite::from_files("my-suite", texts);
            let suite = suite.unwrap_or_else(|error| panic!("{}: {error:?}", game.name()));
            assert!(suite.rank.is_some());
        }
    }
}
