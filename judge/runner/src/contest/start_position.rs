//! The position of a saved round in which every round of a match starts.

use judge_arena::{Job, Pairing};
use judge_core::{Branch, Digest, GivenAnswers, RoundSpec, Seat, Seed};
use judge_games::{GameState, Step, next_question};
use judge_report::quoted;
use serde_json::{Value, json};

use super::starts;
use crate::Error;
use crate::bots::players;
use crate::rounds::play::{SavedMove, SavedPosition};

/// A saved position, and the luck that is still hidden in it.
#[derive(Debug, Clone)]
pub struct StartPosition {
    saved: SavedMove,
    position: SavedPosition,
    /// True if tiles are hidden from both players, which are dealt again in each pair.
    is_redealt: bool,
}

impl StartPosition {
    /// Reads the saved round.
    ///
    /// # Errors
    /// If the file is not a replay of a round by the rules, or the round has no such move.
    pub(crate) fn read(saved: &SavedMove) -> Result<StartPosition, Error> {
        let position = saved.position()?;
        let mut start = StartPosition { saved: saved.clone(), position, is_redealt: false };
        start.is_redealt = start.state().is_some_and(|mut state| state.redeal(Seed(0)));
        Ok(start)
    }

    /// The saved round.
    pub(crate) fn spec(&self) -> &RoundSpec {
        self.position.spec()
    }

    /// True if tiles that both players have not seen are dealt again in each pair.
    pub(crate) fn is_redealt(&self) -> bool {
        self.is_redealt
    }

    /// The round of a pair from this position, with the first player in that seat.
    pub(crate) fn round(&self, pairing: &Pairing, pair: u64, seat: Seat) -> (Job, GivenAnswers) {
        let Job { spec, modules } = pairing.job(pair, seat);
        let spec = RoundSpec { seed: self.spec().seed, ..spec };
        let given = GivenAnswers::beginning(&self.position.beginning);
        let branch = Branch {
            seat: self.position.asked,
            question: self.position.questions,
            answer: None,
            luck: self.is_redealt.then(|| pairing.seed(pair)),
        };
        (Job { spec, modules }, given.with_branch(branch))
    }

    /// All lines of a round from here, with this luck, in which both sides draw their answers from
    /// one fixed random source.
    pub(super) fn course(&self, luck: Seed) -> Option<String> {
        starts::play_on(self.redealt(luck)?.as_mut(), String::new())
    }

    /// The position in the game's notation, with this luck.
    pub(crate) fn opening(&self, luck: Seed) -> String {
        self.redealt(luck).map(|state| state.state()).unwrap_or_default()
    }

    fn redealt(&self, luck: Seed) -> Option<Box<dyn GameState>> {
        let mut state = self.state()?;
        if self.is_redealt {
            state.redeal(luck);
        }
        Some(state)
    }

    /// The state at the question for the move.
    fn state(&self) -> Option<Box<dyn GameState>> {
        let (_, mut state) = judge_referee::start(self.spec()).ok()?;
        let mut line = String::new();
        for answer in &self.position.beginning {
            next_question(state.as_mut(), &mut line);
            state.answer(answer).ok()?;
        }
        matches!(next_question(state.as_mut(), &mut line), Step::Ask(_)).then_some(state)
    }

    /// Notes for users: which moves are given, and which luck remains. `is_single` is true if all
    /// pairs would be the same.
    pub(crate) fn notes(&self, is_single: bool) -> Vec<String> {
        let luck = match (is_single, self.is_redealt) {
            (false, _) => "each pair deals the tiles again that neither player has seen",
            (true, true) => {
                "too few tiles are hidden for another order, so every pair would be the same: one \
                 is played"
            }
            (true, false) => {
                "no luck is hidden from the players, so every pair would be the same: one is played"
            }
        };
        vec![self.saved.remark(), luck.to_owned()]
    }

    /// The command that shows the round with that number in a match from here; none if luck that
    /// the saved round does not have decides it, or A is not a bot. The players are given as in
    /// commands.
    pub(crate) fn play_command(&self, [a, b]: [&str; 2], number: u64) -> Option<String> {
        let is_shown = !self.is_redealt && players::is_module(a);
        let seat = 2 - number % 2;
        is_shown.then(|| {
            let from = format!("{}:{}", self.saved.file().display(), self.saved.number());
            format!(
                "judge play {} --against {} --from {} --seat {seat} --html round-{number}.html",
                quoted(a),
                quoted(b),
                quoted(&from)
            )
        })
    }

    /// The end of a sentence on the conditions of the rounds.
    pub(crate) fn words(&self) -> String {
        format!("from move {} of `{}`", self.saved.number(), self.saved.file_name())
    }

    /// The position in a document.
    pub(crate) fn json(&self) -> Value {
        let digest: Digest = self.position.digest();
        json!({
            "file": self.saved.file_name(),
            "digest": digest,
            "move": self.saved.number(),
            "redealt": self.is_redealt,
        })
    }
}
