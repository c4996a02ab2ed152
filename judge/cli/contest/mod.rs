//! What matches and tournaments have in common: the players, what they play, and where it is kept.

mod luck;
mod players;
mod starts;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_arena::{Pairing, Pool};
use judge_core::{
    FUEL_PER_MS, Limits, MAX_MEMORY_BYTES, MAX_TIME_MS, Options, SeatSpec, Seed, printable,
};
use judge_games::Game;
use judge_referee::SetupError;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::{grade, journal, output, play, worker};
pub(crate) use players::Players;
pub(crate) use starts::Starts;

/// Fewest seeds that are looked at to find out whether anything depends on them.
const SEEDS_TRIED: u64 = 8;

/// Most pairs whose starts are looked at before any is played.
const LOOKED_AT: u64 = 16_384;

/// What is played, and how.
#[derive(clap::Args)]
pub(crate) struct Setting {
    /// The game. Default: the one that the bots say they play.
    #[arg(long)]
    pub(crate) game: Option<String>,
    /// A rule switch; may be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = play::option)]
    options: Vec<(String, String)>,
    /// Where the first pair's luck comes from; the next pairs have the next seeds. Default: that of
    /// the journal with `--resume`, or else one that is drawn at random and told.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Each bot's time in a round, in judge-milliseconds of 1,000,000 instructions.
    #[arg(long, value_name = "MS", default_value_t = Limits::COURSE.fuel / FUEL_PER_MS,
          value_parser = clap::value_parser!(u64).range(1..=MAX_TIME_MS))]
    time_ms: u64,
    /// Each bot's memory.
    #[arg(long, value_name = "KIB", default_value_t = Limits::COURSE.memory_bytes / 1024,
          value_parser = clap::value_parser!(u64).range(1..=MAX_MEMORY_BYTES / 1024))]
    memory_kib: u64,
    /// How many worker processes to use. Default: one per processor. Changes no result.
    #[arg(long, value_name = "N", value_parser = grade::jobs)]
    jobs: Option<usize>,
    /// Keep every round in this file before it counts.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Go on with what was interrupted, or play more rounds of it: what stands in the journal is
    /// not played again.
    #[arg(long, requires = "journal")]
    resume: bool,
    /// Write the result as JSON to a file, or with `-` to standard output, instead of the table.
    /// Two runs differ only under the key `timing`.
    #[arg(long, value_name = "FILE|-")]
    pub(crate) json: Option<PathBuf>,
    #[command(flatten)]
    walls: worker::Walls,
}

impl Setting {
    /// Checks that these players can play, and sets two of them against each other.
    pub(crate) fn pairing(&self, players: &Players) -> Result<Pairing, Failure> {
        let limits = limits(self.time_ms, self.memory_kib);
        // What cannot be played is said before a seed is drawn.
        let pairing = pairing(players, &self.options, 0, limits)?;
        let seed = self.known_seed()?.map_or_else(luck::drawn, Ok)?;
        Ok(Pairing { seed: Seed(seed), ..pairing })
    }

    /// The seed that is named, or that of the run to go on with.
    pub(crate) fn known_seed(&self) -> Result<Option<u64>, Failure> {
        let journal = self.journal.as_deref().filter(|path| self.resume && path.exists());
        match (self.seed, journal) {
            (Some(seed), _) => Ok(Some(seed)),
            (None, Some(path)) => luck::of_journal(path),
            (None, None) => Ok(None),
        }
    }

    /// The workers, with the journal if one is kept.
    pub(crate) fn pool(&self, plan: &Value, players: &Players) -> Result<Pool, Failure> {
        let mut pool = worker::pool(self.jobs, &self.walls)?;
        pool.tables = players.tables();
        if let Some(path) = &self.journal {
            let journal = journal::open(path, &pool.fingerprint, plan, self.resume)?;
            pool.journal = Some(Arc::new(journal));
        }
        Ok(pool)
    }

    /// Writes the result for programs, if it was asked for.
    pub(crate) fn write_json(&self, json: &Value) -> Result<(), Failure> {
        let text = format!("{json:#}\n");
        match &self.json {
            Some(_) if self.json_only() => Ok(output::unless_reader_left(output::print(&text))?),
            Some(path) => output::write(path, &text),
            None => Ok(()),
        }
    }

    /// Whether standard output is for JSON.
    pub(crate) fn json_only(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }
}

/// What each bot may use in a round.
pub(crate) fn limits(time_ms: u64, memory_kib: u64) -> Limits {
    let (fuel, memory_bytes) = (time_ms * FUEL_PER_MS, memory_kib * 1024);
    Limits { fuel, memory_bytes, ..Limits::COURSE }
}

/// Checks that these players can play so, and sets the first two of them against each other.
pub(crate) fn pairing(
    players: &Players,
    options: &[(String, String)],
    seed: u64,
    limits: Limits,
) -> Result<Pairing, Failure> {
    players.check(&limits)?;
    let options: Options = options.iter().cloned().collect();
    players.game.start(&options, Seed(0)).map_err(SetupError::from)?;
    players.check_tables(&options)?;
    Ok(Pairing {
        game: players.game.name().to_owned(),
        options,
        seed: Seed(seed),
        limits,
        players: [0, 1].map(|player| players.seat(player)),
        modules: [0, 1].map(|player| players.module(player)),
    })
}

/// What the journal says that it is of. How many rounds are played and when it is enough is no part
/// of it: what was not decided may be gone on with.
pub(crate) fn plan(command: &str, pairing: &Pairing, players: &Players) -> Value {
    let identities = (0..players.count()).map(|player| identity(&players.seat(player)));
    json!({
        "command": command,
        "game": pairing.game,
        "options": pairing.options,
        "seed": pairing.seed,
        "limits": pairing.limits,
        "players": identities.collect::<Vec<_>>(),
    })
}

/// What a player is: the hash of its module or table, or its name among the reference opponents.
fn identity(player: &SeatSpec) -> Value {
    match player {
        SeatSpec::Bot { sha256, .. } => json!({"bot": sha256}),
        SeatSpec::Trained { sha256, .. } => json!({"trained": sha256}),
        SeatSpec::Reference { name } | SeatSpec::Human { name } => json!({"reference": name}),
    }
}

/// The same, and what it is called.
pub(crate) fn player(player: &SeatSpec) -> Value {
    let mut value = identity(player);
    value["name"] = json!(player.name());
    value
}

/// How many pairs begin differently, as far as that is looked at before any is played.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outlook {
    /// Pairs that are asked for.
    pairs: u64,
    /// Those of them that were looked at.
    looked: u64,
    /// Different starts among these.
    pub(crate) distinct: u64,
    /// Whether the seed changes nothing, also beyond them.
    idle: bool,
}

impl Outlook {
    pub(crate) fn new(game: &dyn Game, pairing: &Pairing, pairs: u64) -> Outlook {
        let mut starts = Starts::new(game, pairing);
        let looked = pairs.min(LOOKED_AT);
        let idle = starts.distinct(looked.max(SEEDS_TRIED)) == 1;
        Outlook { pairs, looked, distinct: starts.distinct(looked), idle }
    }

    /// Whether there are fewer starts than `needed`. Where not all pairs were looked at and most
    /// begin differently, there are more.
    pub(crate) fn lacks(&self, needed: u64) -> bool {
        self.distinct < needed && (self.looked == self.pairs || 2 * self.distinct < self.looked)
    }

    /// What the user should know when pairs repeat each other.
    pub(crate) fn note(&self, game: &dyn Game) -> Option<String> {
        let Outlook { pairs, looked, distinct, idle } = *self;
        let hint = hint_of_openings(game).map_or(String::new(), |hint| format!(" ({hint})"));
        if idle {
            return Some(format!(
                "with these options the seed changes nothing in {}: players who draw no lots play \
                 the same pair again and again, which counts once{hint}",
                game.title()
            ));
        }
        (distinct < looked).then(|| {
            let of = if looked < pairs { format!("the first {looked}") } else { pairs.to_string() };
            format!(
                "only {distinct} of {of} pairs begin differently: those that begin alike count as \
                 one, so more than `--rounds {}` say little more{hint}",
                2 * distinct
            )
        })
    }
}

/// What the user should know if the seed changes nothing.
pub(crate) fn note_of_luck(game: &dyn Game, pairing: &Pairing) -> Option<String> {
    Outlook::new(game, pairing, 1).note(game)
}

/// How to have more starts, where the game can.
pub(crate) fn hint_of_openings(game: &dyn Game) -> Option<&'static str> {
    let opening = game.options().iter().any(|option| option.key == "opening");
    opening.then_some("`--option opening=4` begins each pair at random")
}

/// How the rounds of that pair begin: the state when the first question is asked.
pub(crate) fn opening(game: &dyn Game, pairing: &Pairing, pair: u64) -> Option<String> {
    let mut running = game.start(&pairing.options, pairing.seed(pair)).ok()?;
    judge_games::next_question(running.as_mut(), &mut String::new());
    Some(running.state())
}

/// How many pairs so many rounds are.
pub(crate) fn pairs(rounds: u64) -> Result<u64, Failure> {
    if rounds % 2 == 1 {
        let what = format!("`--rounds {rounds}` is odd: each seed is played from both seats");
        return Err(Failure::usage(what, format!("`--rounds {}`", rounds + 1)));
    }
    Ok(rounds / 2)
}

/// Says how long it took.
pub(crate) fn tell_time(wall: Duration, workers: usize) {
    let noun = if workers == 1 { "worker" } else { "workers" };
    tell(&format!("{:.1} s with {workers} {noun}", wall.as_secs_f64()));
}

/// Says something beside the result.
pub(crate) fn tell(line: &str) {
    // A standard error that is gone changes no result.
    let _ = writeln!(std::io::stderr(), "{}", printable(line, usize::MAX));
}
