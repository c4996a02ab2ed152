//! Bot files from the command line: read, named, looked at by intake.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use judge_arena::Submission;
use judge_core::{BotIdentity, Refused, digest};
use judge_report::tame;
use judge_sandbox::intake::{self, ModuleInfo};

use crate::failure::Failure;

/// A bot's file and what intake says of it.
pub(crate) struct BotFile {
    /// As it stands on the command line.
    pub(crate) path: PathBuf,
    /// Ready for grading.
    pub(crate) submission: Submission,
    /// What intake learned; none when it refused the module.
    pub(crate) info: Option<ModuleInfo>,
}

/// Reads bot files. Files of the same name in different folders are told apart by their paths.
pub(crate) fn read_all(paths: &[PathBuf]) -> Result<Vec<BotFile>, Failure> {
    let stems: Vec<String> = paths.iter().map(|path| stem(path)).collect();
    let unique = |name: &String| stems.iter().filter(|stem| *stem == name).count() == 1;
    std::iter::zip(paths, &stems)
        .map(|(path, stem)| {
            let name = if unique(stem) { stem.clone() } else { path.display().to_string() };
            read(path, name)
        })
        .collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn read(path: &Path, name: String) -> Result<BotFile, Failure> {
    let module = Failure::read(path)?;
    let inspected = intake::inspect(&module);
    let refused = inspected.as_ref().err().map(|refusal| Refused::new(refusal.to_string()));
    let info = inspected.ok();
    let author = info.as_ref().and_then(|info| info.manifest.author.clone());
    let bot = BotIdentity { name, sha256: digest(&module), author };
    Ok(BotFile { path: path.to_owned(), submission: Submission { bot, module, refused }, info })
}

/// The first game that a bot says it plays and that this judge knows.
pub(crate) fn claimed_game(bot: &BotFile) -> Option<&'static str> {
    let games = &bot.info.as_ref()?.manifest.games;
    games.iter().find_map(|name| judge_games::find(name)).map(judge_games::Game::name)
}

/// Says on standard error when a bot says that it plays other games than this one: what follows is
/// then likely to be a row of protocol errors.
pub(crate) fn warn_of_other_game(bot: &BotFile, game: &str) {
    let games = bot.info.as_ref().map(|info| info.manifest.games.as_slice()).unwrap_or_default();
    if games.is_empty() || games.iter().any(|claimed| claimed == game) {
        return;
    }
    let (path, games) = (bot.path.display(), games.join(", "));
    let line = format!("warning: `{path}` says that it plays {games}, not {game}");
    // A standard error that is gone changes no result.
    let _ = writeln!(std::io::stderr(), "{}", tame(&line));
}
