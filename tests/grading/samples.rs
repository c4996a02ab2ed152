//! Every sample bot gets the points of its `bot.toml` in the bundled suite of its game.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use serde::Deserialize;

use crate::support::{root, run, sample};

/// The part of `bot.toml` that matters here.
#[derive(Deserialize)]
struct SampleBot {
    game: String,
    points: u64,
}

/// Name and description of every sample bot, sorted by name.
fn sample_bots() -> Vec<(String, SampleBot)> {
    let folders = std::fs::read_dir(root().join("sample-bots")).unwrap();
    let mut bots: Vec<(String, SampleBot)> = folders
        .map(|folder| folder.unwrap().path())
        .filter(|folder| folder.join("bot.toml").exists())
        .map(|folder| {
            let text = std::fs::read_to_string(folder.join("bot.toml")).unwrap();
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            (name, toml::from_str(&text).unwrap())
        })
        .collect();
    bots.sort_by(|(one, _), (two, _)| one.cmp(two));
    bots
}

/// Keeps a processor busy until it is dropped.
struct Busy(Arc<AtomicBool>);

impl Busy {
    fn start() -> Busy {
        let over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&over);
        std::thread::spawn(move || while !flag.load(Relaxed) {});
        Busy(over)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Graded by 16 workers on a busy machine. The digests are the same in every build and on every
/// machine with this version. They change with the fingerprint and the bots.
#[test]
fn every_sample_bot_earns_its_recorded_points() {
    let bots = sample_bots();
    let mut digests = String::new();
    let _busy = [Busy::start(), Busy::start()];
    for game in judge_games::all().iter().map(|game| game.name()) {
        let of_game: Vec<&(String, SampleBot)> =
            bots.iter().filter(|(_, bot)| bot.game == game).collect();
        assert!(of_game.len() >= 2, "{game} has a simple and a decent bot");
        let mut arguments: Vec<OsString> = vec!["grade".into()];
        arguments.extend(of_game.iter().map(|(name, _)| sample(name).into()));
        arguments.extend(["--suite", game, "--jobs", "16", "--json", "-"].map(OsString::from));
        let report = run(arguments).json();
        for (at, (name, bot)) in of_game.iter().enumerate() {
            let graded = &report["bots"][at];
            assert_eq!(graded["points"], bot.points, "{name}: {:#}", graded["testcases"]);
            let digest = graded["digest"].as_str().unwrap();
            digests += &[name, " ", digest, "\n"].concat();
        }
    }
    insta::assert_snapshot!("digests", digests);
}
