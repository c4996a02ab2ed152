//! A testcase file: game, opponent, seeds, limits and points.

use std::collections::BTreeMap;

use judge_core::{
    Digest, FUEL_PER_MS, Limits, MAX_MEMORY_BYTES, MAX_TIME_MS, Options, Points, PointsCurve,
    RoundSpec, Seat, SeatSpec, Seed, Shows, digest,
};
use serde::Deserialize;
use toml::{Spanned, Value};

use crate::SuiteKey;
use crate::corner::RawCorner;
use crate::points::{RawPoints, Worth};
use crate::source::{Source, SourceError};

/// Most rounds of one testcase.
const MAX_ROUNDS: usize = 10_000;

/// Most bytes of log for all rounds of a testcase together. For up to 256 rounds this is at least
/// the limit of each.
pub const LOG_BYTES: u64 = 16 << 20;

/// Largest absolute threshold: sums of scores stay far below the limits of their type.
const MAX_SCORE: i64 = 1_000_000_000_000;

/// The valid fields, for the error about an unknown one.
const FIELDS: &str = "a testcase has `title`, `game`, `opponent`, `seeds` (or `rounds`, with the \
                      suite's key), `min_score`, `points` (or `credit`), and may have `seat`, \
                      `hidden`, `weight`, `extra_credit`, `[limits]` (`time_ms`, `memory_kib`) and \
                      `[options]`";

/// One testcase: rounds with fixed seeds against a reference opponent, and a threshold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Testcase {
    /// The file's name without the ending: `01-warm-up`.
    pub name: String,
    /// One line of text.
    pub title: String,
    /// Name of the game.
    pub game: String,
    /// Name of the reference opponent.
    pub opponent: String,
    /// The bot's seat.
    pub seat: Seat,
    /// Seed of each round; empty if they come from a key that is missing.
    pub seeds: Vec<Seed>,
    /// Number of rounds, with known or unknown seeds.
    pub rounds: usize,
    /// True if students see only a part of its result.
    pub hidden: bool,
    /// The part that students see if it is hidden; set by the suite.
    pub shows: Shows,
    /// The sum of round scores needed to pass.
    pub min_score: i64,
    /// Maximum points, weight included.
    pub points: Points,
    /// Points by score, weight included; without it, all or nothing.
    pub credit: Option<PointsCurve>,
    /// Factor for the points in the file, if given.
    pub weight: Option<Points>,
    /// True if its points count above the suite's maximum.
    pub extra_credit: bool,
    /// The limits of the bot, over all rounds.
    pub limits: Limits,
    /// Rule switches.
    pub options: Options,
    /// SHA-256 of the file.
    pub sha256: Digest,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    title: String,
    game: Spanned<String>,
    opponent: Spanned<String>,
    seat: Option<Spanned<u64>>,
    seeds: Option<Spanned<Vec<Spanned<i64>>>>,
    rounds: Option<Spanned<u64>>,
    #[serde(default)]
    hidden: bool,
    min_score: Option<Spanned<i64>>,
    points: Option<Spanned<Points>>,
    credit: Option<Spanned<Vec<RawCorner>>>,
    weight: Option<Spanned<Points>>,
    #[serde(default)]
    extra_credit: bool,
    #[serde(default)]
    limits: RawLimits,
    #[serde(default)]
    options: BTreeMap<String, Spanned<Value>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct RawLimits {
    time_ms: Option<Spanned<u64>>,
    memory_kib: Option<Spanned<u64>>,
}

impl Raw {
    fn worth(&self) -> RawPoints<'_> {
        RawPoints {
            points: self.points.as_ref(),
            credit: self.credit.as_ref(),
            weight: self.weight.as_ref(),
            extra_credit: self.extra_credit,
        }
    }
}

impl Testcase {
    /// The limits of one round that is played outside of the testcase: its memory, and an equal
    /// share of its time, in whole judge-milliseconds, which all its rounds use together.
    pub fn limits_of_a_round(&self) -> Limits {
        let rounds = u64::try_from(self.rounds).unwrap_or(u64::MAX).max(1);
        let time_ms = (self.limits.fuel / FUEL_PER_MS / rounds).max(1);
        Limits { fuel: time_ms * FUEL_PER_MS, ..self.limits }
    }

    /// Reads a testcase from the text of its file. `path` is for messages, and its last component
    /// without the ending becomes the name.
    ///
    /// # Errors
    /// With the position, when the text is not valid TOML or has an unknown value.
    pub fn parse(path: &str, text: &str) -> Result<Testcase, Box<SourceError>> {
        Testcase::parse_with(path, text, None)
    }

    /// Reads a testcase with seeds that may come from a suite's key; without it, it has none.
    ///
    /// # Errors
    /// As [`Testcase::parse`].
    pub fn parse_with(
        path: &str,
        text: &str,
        key: Option<&SuiteKey>,
    ) -> Result<Testcase, Box<SourceError>> {
        Testcase::parse_in(path, text, &SuiteContext { key, hidden: false, shows: None })
    }

    /// Reads a testcase of a suite.
    pub(crate) fn parse_in(
        path: &str,
        text: &str,
        setting: &SuiteContext<'_>,
    ) -> Result<Testcase, Box<SourceError>> {
        let source = Source { name: path, text };
        let raw: Raw = source.parse(FIELDS)?;
        check_names(&source, &raw)?;
        let name = stem(path);
        // Secret seeds must not be shown.
        let hidden = setting.hidden || raw.hidden || raw.rounds.is_some();
        let worth = Worth::check(&source, &raw.worth())?;
        if hidden {
            worth.check_hidden(&source, &raw.worth(), setting.shows)?;
        }
        let min_score = min_score(&source, &raw, &worth)?;
        Ok(Testcase {
            name: name.to_owned(),
            seat: seat(&source, raw.seat.as_ref())?,
            rounds: rounds(&raw),
            seeds: all_seeds(&source, &raw, name, setting.key)?,
            hidden,
            limits: shared_out(limits(&source, &raw.limits)?, rounds(&raw)),
            shows: setting.shows.unwrap_or_default(),
            options: options(&source, &raw.options)?,
            title: raw.title,
            game: raw.game.into_inner(),
            opponent: raw.opponent.into_inner(),
            min_score,
            points: worth.points,
            credit: worth.credit,
            weight: worth.weight,
            extra_credit: worth.extra_credit,
            sha256: digest(text.as_bytes()),
        })
    }

    /// The points that count towards the suite's maximum.
    pub fn counted_points(&self) -> Points {
        if self.extra_credit { Points::ZERO } else { self.points }
    }

    /// The rounds of this testcase for a bot, one per seed.
    pub fn specs<'a>(&'a self, bot: &'a SeatSpec) -> impl Iterator<Item = RoundSpec> + 'a {
        self.seeds.iter().map(|seed| self.spec(bot, *seed))
    }

    /// True for a round of this testcase, with its full fuel or less.
    pub fn has_round(&self, spec: &RoundSpec) -> bool {
        let is_opponent = |seat: &SeatSpec| matches!(seat, SeatSpec::Reference { name } if *name == self.opponent);
        let limits = Limits { fuel: self.limits.fuel, ..spec.limits };
        spec.game == self.game
            && spec.options == self.options
            && is_opponent(spec.seat(self.seat.other()))
            && limits == self.limits
            && spec.limits.fuel <= self.limits.fuel
            && self.seeds.contains(&spec.seed)
    }

    /// A round under the conditions of this testcase, with any seed.
    pub fn spec(&self, bot: &SeatSpec, seed: Seed) -> RoundSpec {
        let opponent = SeatSpec::Reference { name: self.opponent.clone() };
        let seats = match self.seat {
            Seat::One => [bot.clone(), opponent],
            Seat::Two => [opponent, bot.clone()],
        };
        let (game, options, limits) = (self.game.clone(), self.options.clone(), self.limits);
        RoundSpec { game, options, seed, seats, limits }
    }
}

/// The settings of a testcase that come from its suite, not its file.
pub(crate) struct SuiteContext<'a> {
    /// Source of seeds for `rounds`, if available.
    pub(crate) key: Option<&'a SuiteKey>,
    /// True for a file in the folder of hidden testcases.
    pub(crate) hidden: bool,
    /// The part of hidden testcases that students see; none outside a suite.
    pub(crate) shows: Option<Shows>,
}

/// The file's name without folders and ending.
pub(crate) fn stem(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.strip_suffix(".toml").unwrap_or(file)
}

fn check_names(source: &Source<'_>, raw: &Raw) -> Result<(), Box<SourceError>> {
    use judge_referee::SetupError;

    let opponent = raw.opponent.get_ref();
    let options = Options::new();
    match judge_referee::check(raw.game.get_ref(), &options, opponent) {
        Ok(()) => {}
        Err(error @ SetupError::UnknownGame { .. }) => {
            return Err(source.about(&raw.game, error.to_string(), None));
        }
        Err(error) => return Err(source.about(&raw.opponent, error.to_string(), None)),
    }
    // Check all together, because options may depend on each other.
    let options = self::options(source, &raw.options)?;
    judge_referee::check(raw.game.get_ref(), &options, opponent).map_err(|error| {
        let culprit = match &error {
            SetupError::Option(error) => raw.options.get(error.key()),
            _ => None,
        };
        match culprit {
            Some(value) => source.about(value, error.to_string(), None),
            // A default that conflicts with the given options.
            None => source.about(&raw.game, error.to_string(), None),
        }
    })
}

fn seat(source: &Source<'_>, raw: Option<&Spanned<u64>>) -> Result<Seat, Box<SourceError>> {
    let Some(number) = raw else { return Ok(Seat::One) };
    let seat = u8::try_from(*number.get_ref()).ok().and_then(|n| Seat::try_from(n).ok());
    seat.ok_or_else(|| {
        let message = format!("seat `{}` does not exist: expected 1 or 2", number.get_ref());
        source.about(number, message, None)
    })
}

/// Divides the log limit among the rounds.
fn shared_out(limits: Limits, rounds: usize) -> Limits {
    let share = LOG_BYTES / rounds.max(1) as u64;
    Limits { log_bytes: limits.log_bytes.min(share), ..limits }
}

/// Number of rounds of a testcase; another function checks the seeds.
fn rounds(raw: &Raw) -> usize {
    let listed = raw.seeds.as_ref().map_or(0, |seeds| seeds.get_ref().len());
    raw.rounds.as_ref().map_or(listed, |rounds| *rounds.get_ref() as usize)
}

/// The seeds from the file or from the key.
fn all_seeds(
    source: &Source<'_>,
    raw: &Raw,
    name: &str,
    key: Option<&SuiteKey>,
) -> Result<Vec<Seed>, Box<SourceError>> {
    match (&raw.seeds, &raw.rounds) {
        (Some(listed), None) => seeds(source, listed),
        (None, Some(rounds)) => {
            let number = bounded(source, rounds, "rounds", MAX_ROUNDS as u64)?;
            Ok(key.map_or(Vec::new(), |key| (1..=number).map(|n| key.seed(name, n)).collect()))
        }
        (Some(_), Some(rounds)) => {
            let message = "a testcase has `seeds` or `rounds`, not both";
            let help = "`rounds` take their seeds from the suite's key".to_owned();
            Err(source.about(rounds, message, Some(help)))
        }
        (None, None) => Err(source.without("seeds", "one for each round: `seeds = [1, 2, 3]`")),
    }
}

fn seeds(
    source: &Source<'_>,
    raw: &Spanned<Vec<Spanned<i64>>>,
) -> Result<Vec<Seed>, Box<SourceError>> {
    let seeds = raw.get_ref();
    if seeds.is_empty() || seeds.len() > MAX_ROUNDS {
        let message = format!("{} seeds: expected 1 to {MAX_ROUNDS}, one per round", seeds.len());
        return Err(source.about(raw, message, None));
    }
    let parse = |seed: &Spanned<i64>| {
        u64::try_from(*seed.get_ref()).map(Seed).map_err(|_| {
            let message = format!("seed `{}` is negative", seed.get_ref());
            source.about(seed, message, Some("a seed is a whole number from 0 up".to_owned()))
        })
    };
    seeds.iter().map(parse).collect()
}

/// The threshold: the file's, or else the score for full points.
fn min_score(source: &Source<'_>, raw: &Raw, worth: &Worth) -> Result<i64, Box<SourceError>> {
    let full = worth.credit.as_ref().map(|credit| credit.full().0);
    let Some(given) = &raw.min_score else {
        let help = "the sum of scores that passes: `min_score = 400`";
        return full.ok_or_else(|| source.without("min_score", help));
    };
    match *given.get_ref() {
        score if !(-MAX_SCORE..=MAX_SCORE).contains(&score) => {
            Err(source.about(given, format!("`{score}` is outside the range of every game"), None))
        }
        score if full.is_some_and(|full| score > full) => {
            let full = full.unwrap_or_default();
            let message = format!("full points at {full}, but a pass needs {score}");
            let help = "full points must pass: lower `min_score`, or leave it out to pass at the \
                        top of the curve";
            Err(source.about(given, message, Some(help.to_owned())))
        }
        score => Ok(score),
    }
}

fn limits(source: &Source<'_>, raw: &RawLimits) -> Result<Limits, Box<SourceError>> {
    let mut limits = Limits::COURSE;
    if let Some(time) = &raw.time_ms {
        limits.fuel = bounded(source, time, "ms", MAX_TIME_MS)? * FUEL_PER_MS;
    }
    if let Some(memory) = &raw.memory_kib {
        limits.memory_bytes = bounded(source, memory, "KiB", MAX_MEMORY_BYTES / 1024)? * 1024;
    }
    Ok(limits)
}

fn bounded(
    source: &Source<'_>,
    value: &Spanned<u64>,
    unit: &str,
    most: u64,
) -> Result<u64, Box<SourceError>> {
    match *value.get_ref() {
        number if (1..=most).contains(&number) => Ok(number),
        number => {
            let message = format!("`{number}` {unit}: expected 1 to {most}");
            Err(source.about(value, message, None))
        }
    }
}

fn options(
    source: &Source<'_>,
    raw: &BTreeMap<String, Spanned<Value>>,
) -> Result<Options, Box<SourceError>> {
    raw.iter().map(|(key, value)| Ok((key.clone(), option_text(source, value)?))).collect()
}

/// An option's value as the text that bots receive.
fn option_text(source: &Source<'_>, value: &Spanned<Value>) -> Result<String, Box<SourceError>> {
    match value.get_ref() {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Boolean(flag) => Ok(flag.to_string()),
        other => {
            let message = format!("an option cannot be of type {}", other.type_str());
            let help = "expected a text, a whole number, or true or false".to_owned();
            Err(source.about(value, message, Some(help)))
        }
    }
}
