//! A new bot: a small project that can be built and graded at once.

mod language;
mod readme;

use std::collections::BTreeMap;
use std::path::PathBuf;

use include_dir::{Dir, include_dir};
use judge_games::Game;
use judge_report::quoted;

use crate::Error;
use crate::base::nearest::nearest;
use crate::base::new_folder::{self, NewFile};
use language::Language;

/// The templates: a folder per language, with a file per game.
static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/templates");

/// The kit for Go, which is copied into a project.
static GO_KIT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/go");

/// The kit for AssemblyScript, which is copied into a project.
static ASSEMBLYSCRIPT_KIT: Dir<'_> =
    include_dir!("$CARGO_MANIFEST_DIR/../../sdk/assemblyscript/assembly");

/// The kit's folder in a project.
const ASSEMBLYSCRIPT_PLACE: &str = "judge-bot";

/// The types of the kit for JavaScript. The kit itself is part of the judge.
static JAVASCRIPT_TYPES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/javascript/types");

/// The kit for Python. Files next to a script take precedence over the judge's own, so this copy is
/// the one that runs.
static PYTHON_KIT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sdk/python/judge_bot");

/// Parts of the kit for Go that a bot does not need.
const NOT_FOR_BOTS: &[&str] = &["example", "internal"];

/// A project to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The project's folder, new or empty, which names the bot.
    pub folder: PathBuf,
    /// The name of the game.
    pub game: String,
    /// The name of the language.
    pub language: String,
}

/// A project that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The project's folder.
    folder: PathBuf,
    /// The argument for commands: a file in the folder, or the folder.
    source: PathBuf,
    /// The file with the strategy, relative to the folder.
    main: String,
    language: Language,
    game: &'static str,
}

/// Returns the names of all languages.
pub fn languages() -> Vec<&'static str> {
    Language::ALL.iter().map(|language| language.name()).collect()
}

/// Writes the project completely or not at all.
///
/// # Errors
/// If the game or language is unknown, the folder's name is not a valid project name, or the folder
/// is not empty or cannot be written.
pub fn run(request: &Request) -> Result<Outcome, Error> {
    let game = find_game(&request.game)?;
    let language = Language::find(&request.language)?;
    let name = name(request)?;
    let files = files(game, language, &name)?;
    new_folder::refuse_what_is_there(&request.folder)?;
    new_folder::create(&request.folder, &files)?;
    let main = language.main(game.name()).to_owned();
    let source = match language.is_folder() {
        true => request.folder.clone(),
        false => request.folder.join(&main),
    };
    Ok(Outcome { folder: request.folder.clone(), source, main, language, game: game.name() })
}

/// The template of a bot for a game, by the ending of its file; none for another language.
pub(crate) fn template(game: &str, ending: &str) -> Option<&'static str> {
    let language = Language::ALL.iter().find(|language| language.ending() == ending)?;
    let file = format!("{}/{game}.{ending}", language.folder());
    TEMPLATES.get_file(file)?.contents_utf8()
}

/// The kit for AssemblyScript, as texts by their paths in a project.
pub(crate) fn assemblyscript_kit() -> BTreeMap<String, String> {
    let mut files = Vec::new();
    collect(&ASSEMBLYSCRIPT_KIT, ASSEMBLYSCRIPT_PLACE, &mut files);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    files.into_iter().map(|(path, bytes)| (path, text(bytes))).collect()
}

fn find_game(name: &str) -> Result<&'static dyn Game, Error> {
    let known: Vec<&str> = judge_games::all().iter().map(|game| game.name()).collect();
    judge_games::find(name).ok_or_else(|| {
        let near = nearest(name, known.iter().copied());
        let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        let hint = format!("{near}available games: `{}`", known.join("`, `"));
        Error::usage(format!("unknown game `{name}`"), hint)
    })
}

/// The bot's name, which must be a valid package name for compilers.
fn name(request: &Request) -> Result<String, Error> {
    let name = request.folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let begins_well = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if begins_well && name.chars().all(is_letter) {
        return Ok(name);
    }
    let what = format!("`{}` is not a valid bot name", request.folder.display());
    Err(Error::usage(what, "use letters, digits, `-` and `_`, and begin with a letter"))
}

fn files(game: &dyn Game, language: Language, name: &str) -> Result<Vec<NewFile>, Error> {
    let ending = language.ending();
    let template = format!("{}/{}.{ending}", language.folder(), game.name());
    let main = TEMPLATES.get_file(&template).map(|file| file.contents().to_vec());
    let main = main.ok_or_else(|| Error::Judge(format!("no template `{template}`")))?;
    let main_name = language.main(game.name()).to_owned();
    let mut files = vec![(main_name, main)];
    files.extend(language.more(game.name(), name).map(|(name, text)| (name, text.into_bytes())));
    match language {
        Language::Go => collect(&GO_KIT, "judgebot", &mut files),
        Language::AssemblyScript => collect(&ASSEMBLYSCRIPT_KIT, ASSEMBLYSCRIPT_PLACE, &mut files),
        Language::JavaScript => collect(&JAVASCRIPT_TYPES, "judge-bot", &mut files),
        Language::Python => collect(&PYTHON_KIT, "judge_bot", &mut files),
        _ => {}
    }
    files.push((
        "RULES.md".to_owned(),
        judge_games::rules_page(game.name()).unwrap_or_default().into(),
    ));
    files.push(("README.md".to_owned(), readme::text(game, language, name).into_bytes()));
    Ok(files)
}

/// Collects the files of a kit, without its tests.
fn collect(folder: &Dir<'_>, place: &str, files: &mut Vec<NewFile>) {
    for file in folder.files() {
        let path = file.path().to_string_lossy().replace('\\', "/");
        let endings = [".go", ".ts", ".py", "go.mod"];
        let is_part = endings.iter().any(|ending| path.ends_with(ending));
        if is_part && !path.ends_with("_test.go") {
            files.push((format!("{place}/{path}"), file.contents().to_vec()));
        }
    }
    let parts = folder.dirs().filter(|inner| {
        let name = inner.path().to_string_lossy();
        !NOT_FOR_BOTS.contains(&name.as_ref())
    });
    parts.for_each(|inner| collect(inner, place, files));
}

impl Outcome {
    /// Summarizes the new files and the next command.
    pub fn to_text(&self) -> String {
        let word = |path: &std::path::Path| quoted(&path.to_string_lossy());
        let main = self.folder.join(&self.main);
        let more = match self.language.testcase() {
            Some(testcase) => format!(" --testcase {}", word(&self.folder.join(testcase))),
            None => String::new(),
        };
        format!(
            "made `{}`: a bot for {} in {}. Your strategy goes into {} in `{}`; `README.md` has \
             the rest. Now:\n\n  judge watch {}{more}\n",
            self.folder.display(),
            self.game,
            self.language.title(),
            self.language.place(self.game),
            main.display(),
            word(&self.source),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_game() {
        for language in Language::ALL {
            for game in judge_games::all() {
                let files = files(*game, *language, "my-bot").expect("files");
                let main = String::from_utf8(files[0].1.clone()).expect("text");
                assert!(main.contains("YOUR STRATEGY"), "{} {}", language.name(), game.name());
                let place = language.place(game.name());
                assert!(main.contains(place.trim_matches('`')), "{place} {}", language.name());
                let (name, readme) = files.last().expect("a README");
                let readme = String::from_utf8(readme.clone()).expect("text");
                assert_eq!(name, "README.md");
                assert!(readme.lines().count() < 60, "a page");
                assert!(readme.contains("judge watch"));
            }
        }
    }
}
