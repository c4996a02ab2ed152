//! Bot files: read or built, named, and inspected by intake once.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use judge_arena::Entrant;
use judge_core::{
    Blame, BotIdentity, Event, Explanation, Limits, Listener, Refused, digest, printable,
};
use judge_grading::Suite;
use judge_report::{composed, quoted};
use judge_sandbox::intake::{self, ModuleInfo};
use judge_sandbox::remedies;
use judge_toolchain::Cache;

use crate::Error;
use crate::base::bundled;
use crate::base::protected_files::TABLE_START;
use crate::bots::builds::Builder;
use crate::bots::sources::{self, Define};
use crate::bots::submitted::{self, SubmissionEntry};
use crate::bots::versions::Versions;

/// The testcase that `judge new` writes next to a source.
const TESTCASE_FILE: &str = "testcase.toml";

/// A bot's file, and the result of intake.
pub(crate) struct BotSource {
    /// The path as given in the request.
    pub(crate) path: PathBuf,
    /// The submission, ready for grading.
    pub(crate) submission: Entrant,
    /// The result of intake; none if it refused the module.
    pub(crate) info: Option<ModuleInfo>,
}

/// Returns a named module for grading after intake. It is refused if its memory exceeds the limits
/// of all testcases.
pub fn submission(name: &str, module: Vec<u8>, suite: &Suite) -> Entrant {
    BotSource::new(Path::new(name), name.to_owned(), module).submission_on(suite)
}

/// Returns a submission as [`submission`] does, but also refuses a module that states only games
/// that the suite does not have. For uploads, where the author can still correct it.
pub fn offered(name: &str, module: Vec<u8>, suite: &Suite) -> Entrant {
    let bot = BotSource::new(Path::new(name), name.to_owned(), module);
    let own = games_of(suite);
    let other = other_games(&bot, &own).map(|games| {
        let reason = format!("the module plays {games}, but this suite is for {}", own.join(", "));
        Refused::new(Explanation::new(reason, "submit it to a suite of its game"))
    });
    let submission = bot.submission_on(suite);
    Entrant { refused: submission.refused.or(other), ..submission }
}

/// The reason why intake refuses a module for this game under these limits; none if it is
/// accepted.
pub(crate) fn unfit(name: &str, module: &[u8], game: &str, limits: &Limits) -> Option<Explanation> {
    let bot = BotSource::new(Path::new(name), name.to_owned(), module.to_vec());
    if let Some(refused) = &bot.submission.refused {
        return Some(refused.why.clone());
    }
    if let Some(games) = other_games(&bot, &[game]) {
        let reason = format!("the module plays {games}, not {game}");
        return Some(Explanation::new(reason, "enter it where its game is played"));
    }
    bot.over_memory(limits)
}

/// Reads bot files. Equal file names in different folders are distinguished by their paths.
pub(crate) fn read_all(
    paths: &[PathBuf],
    events: &mut dyn Listener,
) -> Result<Vec<BotSource>, Error> {
    read_beside(&[], paths, events)
}

/// Reads bot files, and distinguishes their names also from these names of other players.
pub(crate) fn read_beside(
    others: &[&str],
    paths: &[PathBuf],
    events: &mut dyn Listener,
) -> Result<Vec<BotSource>, Error> {
    let stems: Vec<String> = paths.iter().map(|path| stem(path)).collect();
    let unique = |name: &String| {
        let same = stems.iter().filter(|stem| *stem == name).count();
        same == 1 && !others.contains(&name.as_str())
    };
    std::iter::zip(paths, &stems)
        .map(|(path, stem)| {
            let name = if unique(stem) { stem.clone() } else { path.display().to_string() };
            read(path, name, events)
        })
        .collect()
}

fn stem(path: &Path) -> String {
    if path.is_dir() {
        return composed(&submitted::name_of_folder(path)).into_owned();
    }
    composed(&path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy()).into_owned()
}

/// Reads a module, or builds one from its source.
fn read(path: &Path, name: String, events: &mut dyn Listener) -> Result<BotSource, Error> {
    if path.is_dir() {
        return read_folder(path, name, events);
    }
    refuse_part_of_project(path)?;
    if sources::is_source(path) {
        return Ok(BotSource::new(path, name, sources::module(path, events)?));
    }
    refuse_defines(path, sources::defines())?;
    let bytes = Error::read(path)?;
    refuse_table(path, &bytes)?;
    Ok(BotSource::new(path, name, bytes))
}

/// Refuses a file that describes a project, or is one of its sources.
fn refuse_part_of_project(path: &Path) -> Result<(), Error> {
    let Some(project) = project_of(path).filter(|_| path.is_file()) else { return Ok(()) };
    let is_part = path.extension().is_some_and(|ending| ending == "rs" || ending == "toml");
    if !is_part {
        return Ok(());
    }
    let what = format!("`{}` is part of a Rust project", path.display());
    Err(Error::usage(what, name_project(&project)))
}

fn name_project(project: &Path) -> String {
    format!("name the project's folder: `{}`", quoted(&project.display().to_string()))
}

/// The folder of the Rust project that a file or folder belongs to, at most two levels above it.
fn project_of(path: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(path).ok()?;
    let mut above = whole.ancestors().skip(1).take(2);
    let project = above.find(|folder| folder.join("Cargo.toml").is_file())?;
    // As the user would name it.
    let levels = whole.strip_prefix(project).ok()?.components().count();
    let names = path.components().filter(|part| matches!(part, Component::Normal(_))).count();
    Some(match path.ancestors().nth(levels) {
        Some(named) if names >= levels && named.as_os_str().is_empty() => PathBuf::from("."),
        Some(named) if names >= levels => named.to_owned(),
        _ => project.to_owned(),
    })
}

/// Refuses constants for a module, which is already built.
fn refuse_defines(path: &Path, defines: &[Define]) -> Result<(), Error> {
    let Some(define) = defines.first() else { return Ok(()) };
    // `-D NAME 2` reads as a file with the name 2.
    if !path.exists() && define.value == "1" {
        let (name, value) = (&define.name, path.display());
        let hint = format!("to set a constant, write `-D {name}={value}` without a space");
        return Err(Error::usage(format!("cannot find the file `{value}`"), hint));
    }
    let what = format!("`-D {define}` cannot change `{}`, which is a module", path.display());
    Err(Error::usage(what, "name the source"))
}

/// Builds a bot with these constants, which its name then states.
pub(crate) fn with_defines(
    path: &Path,
    defines: &[Define],
    events: &mut dyn Listener,
) -> Result<BotSource, Error> {
    if !sources::is_source(path) {
        refuse_defines(path, defines)?;
    }
    if let Some((what, hint)) = sources::without_effect(path, defines) {
        return Err(Error::usage(what, hint));
    }
    let constants = defines.iter().map(|define| format!(" {define}"));
    let name = stem(path) + &constants.collect::<String>();
    match defines {
        [] => read(path, name, events),
        defines => Ok(BotSource::new(path, name, sources::module_with(path, defines, events)?)),
    }
}

/// Builds a bot from its source, even if a module is next to it.
pub(crate) fn from_source(path: &Path, events: &mut dyn Listener) -> Result<BotSource, Error> {
    Ok(BotSource::new(path, stem(path), sources::module(path, events)?))
}

/// Refuses several Rust projects in one command. They are probably not all the user's own, and
/// building one runs its `build.rs` and its macros.
pub(crate) fn refuse_several_projects(paths: &[PathBuf]) -> Result<(), Error> {
    let is_project = |path: &&PathBuf| path.is_dir() && path.join("Cargo.toml").is_file();
    let mut built = paths.iter().filter(is_project).filter(|path| {
        path.canonicalize()
            .is_ok_and(|real| !has_fresh_module(path, &real, &SubmissionEntry::at(&real)))
    });
    let (Some(_), Some(second)) = (built.next(), built.next()) else { return Ok(()) };
    let what =
        format!("`{}` is a second Rust project, and building one runs its code", second.display());
    let hint = "grade your own one by one, or build them first (`judge build FOLDER`); `--build` \
                builds sources of others, but not Rust";
    Err(Error::usage(what, hint))
}

/// True if the only module in a folder is newer than its sources. In the output folder of cargo, it is
/// also a release for the target of the project.
fn has_fresh_module(path: &Path, real: &Path, entry: &SubmissionEntry) -> bool {
    match entry {
        SubmissionEntry::FolderWithModule(inside) => {
            let outputs = judge_toolchain::rust_outputs(real);
            let is_of_another_build = inside.starts_with("target")
                && !outputs.iter().any(|output| inside.starts_with(output));
            !is_of_another_build && !sources::is_stale(path, &real.join(inside))
        }
        _ => false,
    }
}

/// Reads submissions of students: modules, and sources that only this builder builds. A submission
/// without a module is refused; a failure of the machine is an error.
pub(crate) fn read_of_others(
    paths: &[PathBuf],
    builder: &Builder,
) -> Result<Vec<BotSource>, Error> {
    let read = |path: &PathBuf| {
        let real =
            path.canonicalize().map_err(|source| Error::Read { path: path.clone(), source })?;
        let entry = SubmissionEntry::at(&real).or_source(&real);
        let module = builder.module(&real, &entry);
        match module.unwrap_or_else(|| submitted::read(&real, &entry)) {
            Ok(module) => {
                let bot = BotSource::new(path, stem(path), module);
                if entry != SubmissionEntry::Module {
                    // Only the cached file can be named in suggested commands.
                    let _ = Cache::of_user().keep_module(&stem(path), &bot.submission.module);
                }
                Ok(bot)
            }
            Err(refused) if refused.blame == Blame::Judge => {
                Err(Error::Machine { what: refused.why.reason, hint: refused.why.hint })
            }
            Err(refused) => Ok(BotSource::refused(path, refused)),
        }
    };
    paths.iter().map(read).collect()
}

/// Refuses a table with the extension of a module, with a better explanation than intake's.
fn refuse_table(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if !bytes.starts_with(TABLE_START) {
        return Ok(());
    }
    let path = path.display();
    let hint = format!("name it as a player: `trained:{path}`; only modules can be graded");
    Err(Error::Input {
        what: format!("`{path}` is a trained table, not a module"),
        hint: Some(hint),
    })
}

/// Reads the only module in a folder, by the same rules as in a course. A project is built if it
/// has no module, or an outdated one.
fn read_folder(path: &Path, name: String, events: &mut dyn Listener) -> Result<BotSource, Error> {
    let folder = path.display();
    // The user may name a link to a folder.
    let real =
        path.canonicalize().map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let (entry, copies) = SubmissionEntry::with_copies(&real);
    let is_known = matches!(&entry, SubmissionEntry::FolderWithModule(one) if is_output(path, one));
    let copies = submitted::about_copies(&folder.to_string(), &entry, &copies);
    // Cargo leaves a copy in `deps`.
    if let Some(text) = copies.filter(|_| !is_known) {
        events.event(&Event::Note { text })?;
    }
    let is_built = sources::defines().is_empty() && has_fresh_module(path, &real, &entry);
    if sources::is_source(path) && !is_built {
        return Ok(BotSource::new(path, name, sources::module(path, events)?));
    }
    let course = format!(
        "to grade all files in it as a course: `judge grade {} --suite SUITE --out RESULTS`",
        quoted(&folder.to_string())
    );
    refuse_defines(path, sources::defines())?;
    let hint = match &entry {
        SubmissionEntry::FolderWithout(_) => match entry.clone().or_source(&real) {
            SubmissionEntry::FolderWithSource(source) => {
                let source = path.join(source).display().to_string();
                format!("name the bot's source: `{}`", quoted(&source))
            }
            _ => project_of(path).map_or_else(
                || "build the bot, and name the module, or name its source".to_owned(),
                |project| name_project(&project),
            ),
        },
        SubmissionEntry::FolderWithSeveral(_) => {
            format!("`--out` is missing {course}; to grade one of them, name it")
        }
        _ => String::new(),
    };
    match (submitted::read(&real, &entry), &entry) {
        (Ok(module), SubmissionEntry::FolderWithModule(inside)) if is_output(path, inside) => {
            Ok(BotSource::new(path, name, judge_toolchain::sign(module, path)?))
        }
        (Ok(module), SubmissionEntry::FolderWithModule(inside)) => {
            tell_outdated(&path.join(inside), events)?;
            Ok(BotSource::new(&path.join(inside), name, module))
        }
        (Err(refused), _) => {
            let what = format!("`{folder}`: {}", refused.why.reason);
            let hint = (!hint.is_empty()).then_some(hint);
            Err(Error::Input { what, hint })
        }
        (Ok(_), _) => Err(Error::input(path, &"it was replaced while it was read")),
    }
}

/// Says that a source with the module's name, in the same folder, is newer than the module.
fn tell_outdated(module: &Path, events: &mut dyn Listener) -> Result<(), Error> {
    let folder = module.parent().unwrap_or(module);
    let beside = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|one| one.path());
    let is_source =
        |path: &PathBuf| path.file_stem() == module.file_stem() && judge_toolchain::is_source(path);
    let newer = |path: &PathBuf| sources::is_newer(path, module);
    let Some(source) = beside.filter(is_source).filter(newer).min() else { return Ok(()) };
    let [module, source] = [module, &source].map(|path| path.display().to_string());
    let text =
        format!("`{module}` is graded, and `{source}` is newer: name the source to grade it");
    Ok(events.event(&Event::Note { text })?)
}

/// True for a module that a compiler has left in its own folder of a project. It does not say yet
/// which game the bot plays.
fn is_output(project: &Path, module: &Path) -> bool {
    let folder = module.components().next().map(std::path::Component::as_os_str);
    sources::is_source(project)
        && submitted::PASSED_OVER.iter().any(|output| folder == Some(output.as_ref()))
}

impl BotSource {
    /// Lets intake inspect a module. The result applies to every use of the bot.
    pub(crate) fn new(path: &Path, name: String, module: Vec<u8>) -> BotSource {
        let inspected = intake::inspect(&module);
        let refused = inspected.as_ref().err();
        let refused = refused.map(|refusal| Refused::new(remedies::explain(&module, refusal)));
        let info = inspected.ok();
        let author = info.as_ref().and_then(|info| info.manifest.author.clone());
        let bot = BotIdentity { name, sha256: digest(&module), author };
        BotSource { path: path.to_owned(), submission: Entrant { bot, module, refused }, info }
    }

    /// Keeps the module of one of the user's own bots for later comparisons, unless intake refused
    /// it.
    pub(crate) fn keep_version(&self) {
        let versions = Versions::of_bot(&self.path).filter(|_| self.info.is_some());
        if let Some(versions) = versions {
            versions.keep(&self.submission.module);
        }
    }

    /// Creates a submission without a module.
    fn refused(path: &Path, refused: Refused) -> BotSource {
        let bot = BotIdentity { name: stem(path), sha256: digest(&[]), author: None };
        let submission = Entrant { bot, module: Vec::new(), refused: Some(refused) };
        BotSource { path: path.to_owned(), submission, info: None }
    }

    /// Returns the submission, refused if its memory exceeds the limits of all testcases.
    pub(crate) fn submission_on(self, suite: &Suite) -> Entrant {
        let refused = self.refusal_on(suite);
        Entrant { refused: self.submission.refused.or(refused), ..self.submission }
    }

    /// Returns the submission as [`BotSource::submission_on`] does, but keeps the bot.
    pub(crate) fn fitting(&self, suite: &Suite) -> Entrant {
        let submission = self.submission.clone();
        Entrant { refused: submission.refused.or(self.refusal_on(suite)), ..submission }
    }

    /// The error for a refused bot that a command cannot do without.
    pub(crate) fn invalid(&self, why: Explanation) -> Error {
        let what = format!("`{}`: invalid module: {}", self.path.display(), why.reason);
        Error::Input { what, hint: why.hint }
    }

    /// The reason why the bot exceeds these limits at its start.
    pub(crate) fn over_memory(&self, limits: &Limits) -> Option<Explanation> {
        let refusal = self.info.as_ref()?.check_limits(limits).err()?;
        Some(remedies::explain(&self.submission.module, &refusal))
    }

    /// The testcase next to the bot under which it has enough memory. `judge new` writes one for
    /// languages that need more than most suites give.
    pub(crate) fn testcase_with_room(&self) -> Option<PathBuf> {
        let folder = if self.path.is_dir() { &self.path } else { self.path.parent()? };
        let file = folder.join(TESTCASE_FILE);
        let suite = Suite::of_testcases(std::slice::from_ref(&file)).ok()?;
        let mut limits = suite.testcases.iter().map(|testcase| testcase.limits);
        limits.all(|limits| self.over_memory(&limits).is_none()).then_some(file)
    }

    /// The refusal if its memory exceeds the limits of all testcases.
    pub(crate) fn refusal_on(&self, suite: &Suite) -> Option<Refused> {
        let limits = suite.testcases.iter().map(|testcase| testcase.limits);
        let largest = limits.max_by_key(|limits| limits.memory_bytes)?;
        self.over_memory(&largest).map(Refused::new)
    }
}

/// The first game that a bot states and that this judge has.
pub(crate) fn claimed_game(bot: &BotSource) -> Option<&'static str> {
    let games = &bot.info.as_ref()?.manifest.games;
    games.iter().find_map(|name| judge_games::find(name)).map(judge_games::Game::name)
}

/// The first game that a bot states and that this judge does not have.
pub(crate) fn unknown_game(bot: &BotSource) -> Option<&str> {
    let games = &bot.info.as_ref()?.manifest.games;
    games.iter().map(String::as_str).find(|name| judge_games::find(name).is_none())
}

/// Warns if a bot states other games than this one, because protocol errors are then likely.
pub(crate) fn tell_of_other_game(
    bot: &BotSource,
    game: &str,
    events: &mut dyn Listener,
) -> std::io::Result<()> {
    let Some(games) = other_games(bot, &[game]) else { return Ok(()) };
    let known = claimed_game(bot).map(|known| format!("; name its game with `--game {known}`"));
    let text =
        format!("`{}` plays {games}, not {game}{}", bot.path.display(), known.unwrap_or_default());
    events.event(&Event::Warning { text })
}

/// Refuses a bot that states other games than that of a saved round.
pub(crate) fn refuse_other_game(bot: &BotSource, game: &str) -> Result<(), Error> {
    let Some(games) = other_games(bot, &[game]) else { return Ok(()) };
    let what =
        format!("`{}` plays {games}, and the saved round is one of {game}", bot.path.display());
    Err(Error::usage(what, "name a round of the bots' game with `--from`"))
}

/// Names the testcase next to a bot that the suite gives too little memory.
pub(crate) fn tell_of_testcase_with_room(
    bot: &BotSource,
    suite: &Suite,
    events: &mut dyn Listener,
) -> std::io::Result<()> {
    let file = bot.refusal_on(suite).and_then(|_| bot.testcase_with_room());
    let Some(file) = file else { return Ok(()) };
    let file = printable(&file.display().to_string(), usize::MAX);
    let text = format!("`{file}` gives the bot as much memory as it needs: `--testcase {file}`");
    events.event(&Event::Note { text })
}

/// Warns if a bot states other games than those of a suite.
pub(crate) fn tell_of_other_suite(
    bot: &BotSource,
    suite: &Suite,
    events: &mut dyn Listener,
) -> std::io::Result<()> {
    let own = games_of(suite);
    let Some(games) = other_games(bot, &own) else { return Ok(()) };
    let text = format!("`{}` {}", bot.path.display(), for_another_suite(&games, &own.join(", ")));
    events.event(&Event::Warning { text })
}

/// The text about a module for other games than the suite's: its games, and the suite for them.
pub(crate) fn for_another_suite(games: &str, suite: &str) -> String {
    let text = format!("plays {games}, but this suite is for {suite}");
    let bundled = bundled::names();
    match games.split(", ").find(|game| bundled.iter().any(|name| name == game)) {
        Some(game) => format!("{text}; `--suite {game}` fits it"),
        None => text,
    }
}

/// The games of a suite's testcases, without repetitions.
pub(crate) fn games_of(suite: &Suite) -> Vec<&str> {
    let testcases = suite.testcases.iter().chain(&suite.locked);
    let games: BTreeSet<&str> = testcases.map(|testcase| testcase.game.as_str()).collect();
    games.into_iter().collect()
}

/// The games that a bot states, if none of them is among these.
fn other_games(bot: &BotSource, these: &[&str]) -> Option<String> {
    let games = bot.info.as_ref().map(|info| info.manifest.games.as_slice()).unwrap_or_default();
    let other = !games.is_empty() && !games.iter().any(|game| these.contains(&game.as_str()));
    other.then(|| printable(&games.join(", "), 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_release_for_the_target_of_a_project_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let write = |path: &str| {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, "").expect("written");
        };
        write("Cargo.toml");
        write("src/main.rs");
        let is_taken = |path: &str| {
            write(path);
            has_fresh_module(folder, folder, &SubmissionEntry::FolderWithModule(path.into()))
        };
        assert!(is_taken("target/wasm32-wasip1/release/bot.wasm"));
        assert!(is_taken("bot.wasm"));
        assert!(!is_taken("target/wasm32-wasip1/debug/bot.wasm"));
        assert!(!is_taken("target/wasm32-unknown-unknown/release/bot.wasm"));
        std::fs::remove_file(folder.join("src/main.rs")).expect("removed");
        for target in ["wasm32-unknown-unknown", "wasm32-wasip1"] {
            assert!(is_taken(&format!("target/{target}/release/bot.wasm")), "{target}");
        }
    }

    #[test]
    fn a_part_of_a_project_leads_to_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let project = folder.path().join("bot");
        std::fs::create_dir_all(project.join("src")).expect("made");
        std::fs::write(project.join("Cargo.toml"), "").expect("written");
        for part in ["Cargo.toml", "src", "src/main.rs"] {
            assert_eq!(project_of(&project.join(part)), Some(project.clone()), "{part}");
        }
        assert_eq!(project_of(&project), None);
    }
}
