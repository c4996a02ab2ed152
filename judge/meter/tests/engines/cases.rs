//! Modules of this repository with the lines of real rounds, and generated modules.

use std::path::{Path, PathBuf};

use judge_core::{
    Limits, Options, Player, PlayerFault, RoundSpec, Seat, SeatSpec, Seed, Usage, digest,
};
use judge_interpreters::{File, Interpreter, JAVASCRIPT, PYTHON};
use judge_sandbox::{BotPlayer, Compiled, Sandbox};
use judge_test_support::modules::module;

use crate::host::{HostEvent, PAGES, Scenario};

pub(crate) const LIMITS: Limits =
    Limits { fuel: 10_000_000_000, memory_bytes: PAGES * 65_536, log_bytes: 64 << 10 };

/// Most fuel of a bot in a round, without and with `JUDGE_TESTS=all`. A whole round of a Python
/// script takes more than ten billion, which are minutes in an engine that interprets.
const ROUND: [u64; 2] = [10_000_000, 100_000_000];

/// Most bytes of a hostile module that compiles quickly.
const SMALL_MODULE: usize = 20_000;

/// Lines of a round in which most generated modules answer.
const LINES: [&str; 4] = ["seat 1", "discard? 1 2 3", "tile 5b", "discard? 5b"];

/// A case that the sandbox has played, with the fuel of each of its lines.
pub(crate) struct Played {
    pub(crate) case: Scenario,
    pub(crate) fuel: Vec<u64>,
}

impl Played {
    /// Fuel of the lines in a run of the case.
    pub(crate) fn fuel_in(&self, events: &[HostEvent]) -> Vec<u64> {
        let lines = events.iter().filter(|event| event.what.starts_with("line "));
        let left = lines.map(|event| event.left.unwrap());
        let mut before = self.case.fuel;
        left.map(|left| std::mem::replace(&mut before, left) - left).collect()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &str, end: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|other| other == end));
    paths.sort();
    paths
}

/// Every sample bot in a round, up to its share of fuel.
pub(crate) fn samples() -> Vec<Played> {
    let sandbox = Sandbox::new().unwrap();
    let paths = files("sample-bots/prebuilt", "wasm");
    paths.iter().map(|path| played(&sandbox, path, std::fs::read(path).unwrap())).collect()
}

/// The examples of the kits for scripts, each in its interpreter; one of each language if not `all`.
pub(crate) fn scripts(all: bool) -> Vec<Played> {
    let sandbox = Sandbox::new().unwrap();
    let of = |folder, end, interpreter: &'static Interpreter| {
        let paths = files(folder, end).into_iter().rev();
        paths.take(if all { usize::MAX } else { 1 }).map(move |path| (path, interpreter))
    };
    let chosen = of("sdk/javascript/examples", "js", &JAVASCRIPT).chain(of(
        "sdk/python/examples",
        "py",
        &PYTHON,
    ));
    let script = |(path, interpreter): (PathBuf, &Interpreter)| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut files = vec![File::new(name, text.as_str())];
        files.extend(links(name, &text));
        played(&sandbox, &path, interpreter.module_with(&files))
    };
    chosen.map(script).collect()
}

/// The imports from the kit for JavaScript, as the interpreter resolves them.
fn links(script: &str, text: &str) -> Vec<File> {
    let names =
        text.lines().filter_map(|line| line.split_once(" from 'judge-bot")?.1.split_once('\''));
    let link = |(part, _): (&str, &str)| {
        let part = part.trim_start_matches('/');
        let places = [format!("{part}/index.js"), format!("{part}.js"), "index.js".to_owned()];
        let is_there = |place: &&String| root().join("sdk/javascript/src").join(place).is_file();
        let place = places.iter().find(is_there).unwrap();
        let name = format!("judge-bot/{part}");
        let name = name.trim_end_matches('/');
        File::new(format!("{script}\n{name}"), format!("judge-bot:/{place}"))
    };
    names.map(link).collect()
}

/// True if intake accepts a module and it can start.
fn is_accepted(module: &[u8]) -> bool {
    judge_sandbox::intake::inspect(module).is_ok_and(|info| info.check_limits(&LIMITS).is_ok())
}

/// Plays a round in the sandbox and keeps the lines.
fn played(sandbox: &Sandbox, path: &Path, bytes: Vec<u8>) -> Played {
    let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let compiled = Compiled::new(sandbox, &bytes).unwrap();
    let games = ["mahjong", "patchwork", "agamemnon", "amazons", "cc"];
    let game = *games.iter().find(|game| name.starts_with(*game)).unwrap();
    let found = judge_referee::find(game).unwrap();
    let opponent = found.opponents()[0].name;
    let bot = SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(&bytes) };
    let seats = [bot, SeatSpec::Reference { name: opponent.to_owned() }];
    let (options, seed) = (Options::new(), Seed(2022));
    let spec = RoundSpec { game: game.to_owned(), options, seed, seats, limits: LIMITS };
    let player = BotPlayer::new(&compiled, LIMITS).seeded(seed, Seat::One);
    let most = ROUND[usize::from(crate::all_tests())];
    let mut listener = Listener { player, most, lines: Vec::new(), fuel: Vec::new() };
    let mut other = judge_referee::reference(found, opponent, Seat::Two, seed).unwrap();
    let ended = judge_referee::sit_down(&spec, [&mut listener, &mut other], None).unwrap();
    let (lines, fuel) = (listener.lines, listener.fuel);
    let is_cut = fuel.iter().sum::<u64>() > most;
    assert!(ended.fault.is_none() || is_cut, "{name}: {:?}", ended.fault);
    assert!(lines.len() > 4 || is_cut, "{name} played {lines:?}");
    Played { case: Scenario { name, module: bytes, fuel: LIMITS.fuel, lines }, fuel }
}

/// A bot with its lines and the fuel of each. It gives up after the line that exceeds `most` in all.
struct Listener<'a> {
    player: BotPlayer<'a>,
    most: u64,
    lines: Vec<String>,
    fuel: Vec<u64>,
}

impl Listener<'_> {
    fn hear(&mut self, line: &str) -> Result<(), PlayerFault> {
        if self.fuel.iter().sum::<u64>() > self.most {
            return Err(PlayerFault::out_of_time());
        }
        self.lines.push(line.to_owned());
        Ok(())
    }
}

impl Player for Listener<'_> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.hear(line)?;
        let fuel = self.player.notice(line)?;
        self.fuel.extend(fuel);
        Ok(fuel)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        self.hear(line)?;
        let fuel = self.player.ask(line, answer)?;
        self.fuel.extend(fuel);
        Ok(fuel)
    }

    fn usage(&mut self) -> Usage {
        self.player.usage()
    }
}

/// The generated module of this number with much, some or little fuel, if intake accepts it. An engine
/// that interprets needs most of the test's time for those with much.
pub(crate) fn generated(number: u64) -> Option<Scenario> {
    let module = module(number);
    if !is_accepted(&module) {
        return None;
    }
    let fuel = match number {
        _ if number.is_multiple_of(3) => number * 37 % 5_000,
        _ if number.is_multiple_of(7) => 3_000_000,
        _ => 200_000,
    };
    let lines = LINES.map(str::to_owned).to_vec();
    Some(Scenario { name: format!("generated module {number}"), module, fuel, lines })
}

/// The modules of the hostile corpus that intake accepts: one of each number if not `all`, and none
/// that compiles for as long as intake allows.
pub(crate) fn hostile(all: bool) -> Vec<Scenario> {
    let entries = std::fs::read_dir(root().join("judge/hostile-corpus")).unwrap();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let case = |folder: &PathBuf| {
        let module = std::fs::read(folder.join("bot.wasm")).ok()?;
        if !is_accepted(&module) {
            return None;
        }
        let name = folder.file_name()?.to_str()?.to_owned();
        let lines = LINES.map(str::to_owned).to_vec();
        Some(Scenario { name, module, fuel: 1_000_000, lines })
    };
    let mut cases: Vec<Scenario> = folders.iter().filter_map(case).collect();
    if !all {
        cases.retain(|case| case.module.len() < SMALL_MODULE);
        cases.dedup_by(|next, kept| next.name.get(..4) == kept.name.get(..4));
    }
    cases
}
