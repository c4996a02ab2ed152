//! The bots that people play against, and the games that each can play.

use judge_arena::Partner;
use judge_core::{BotIdentity, Limits, Options, RoundSpec, Seat, SeatSpec, Transcript};
use judge_grading::Suite;
use judge_referee::SetupError;
use judge_runner::contest::ladder::hide_inside;

/// The place where a bot was found. The right to play against it depends on this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BotSource {
    /// A submission, by id.
    Submission(String),
    /// A public bot of an arena, by id.
    Public(String),
}

/// A bot to play against.
#[derive(Debug, Clone)]
pub struct HostedBot {
    /// The place where it was found.
    pub source: BotSource,
    /// Its name and hash.
    pub identity: BotIdentity,
    /// Its module.
    pub module: Vec<u8>,
    /// The variants that it plays; the first is the default.
    pub variants: Vec<Variant>,
}

/// A game with its rule switches and limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Name of the game.
    pub game: String,
    /// Rule switches that differ from the defaults.
    pub options: Options,
    /// The bot's limits in a round. Logs are not kept if the limit for logs is 0.
    pub limits: Limits,
}

impl Variant {
    /// The variant's name in a page's requests: `amazons size=6`.
    pub fn key(&self) -> String {
        let options = self.options.iter().map(|(key, value)| format!(" {key}={value}"));
        std::iter::once(self.game.clone()).chain(options).collect()
    }
}

/// The distinct variants in a suite's open testcases, in the suite's order. Those of hidden
/// testcases stay secret.
pub fn variants(suite: &Suite) -> Vec<Variant> {
    let mut variants: Vec<Variant> = Vec::new();
    for case in suite.testcases.iter().filter(|case| !case.hidden) {
        let (game, options) = (case.game.clone(), case.options.clone());
        let variant = Variant { game, options, limits: case.limits };
        if !variants.iter().any(|known| known.key() == variant.key()) {
            variants.push(variant);
        }
    }
    variants
}

/// A bot in a worker process, opposite a person.
pub(super) struct BotPartner<'a> {
    pub(super) partner: Partner<'a>,
    pub(super) is_public: bool,
}

impl judge_session::Partner for BotPartner<'_> {
    fn play(&mut self, _: &RoundSpec, _: Seat, given: &[String]) -> Result<Transcript, SetupError> {
        let mut transcript = self.partner.play(given)?;
        if self.is_public {
            hide_inside(&mut transcript.fault);
        }
        Ok(transcript)
    }
}

impl HostedBot {
    /// True if it may be another author's. Events inside such a bot are not shown.
    pub(super) fn is_public(&self) -> bool {
        matches!(self.source, BotSource::Public(_))
    }

    /// The bot as a seat of a round.
    pub(super) fn seat(&self) -> SeatSpec {
        let BotIdentity { name, sha256, .. } = &self.identity;
        SeatSpec::Bot { name: name.clone(), sha256: *sha256 }
    }
}
