//! One game between two reference opponents, without a sandbox: the result, and each one's thinking
//! time.

use std::time::Duration;

use judge_core::{Options, Player, PlayerFault, RoundResult, Seat, Seed};
use judge_games::{Game, GameState};
use judge_referee::{Observer, SetupError};

use crate::thread_time;

/// An error of playing a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// Unknown game, opponent or rule switch.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A reference opponent failed, which is a bug in it and not a result.
    #[error("{game} with seed {seed} failed: {detail}")]
    Fault {
        /// The game.
        game: &'static str,
        /// The seed for repeating it.
        seed: Seed,
        /// The failure and its seat.
        detail: String,
    },
}

/// A game with its rules.
pub(super) struct GameSetting {
    /// The game.
    pub(super) game: &'static dyn Game,
    /// Rule switches that differ from the game's defaults.
    pub(super) options: Options,
}

/// A finished game.
pub(super) struct PlayedGame {
    /// The result.
    pub(super) outcome: RoundResult,
    /// Number of questions that the two players answered.
    pub(super) answers: u64,
    /// Processor time of each player, by seat.
    pub(super) times: [Duration; 2],
}

impl GameSetting {
    /// Finds the game and checks the options.
    ///
    /// # Errors
    /// When the game is unknown, or an option is wrong.
    pub(super) fn new(game: &str, options: Options) -> Result<GameSetting, SetupError> {
        let game = judge_referee::find(game)?;
        game.start(&options, Seed(0))?;
        Ok(GameSetting { game, options })
    }

    /// Plays one game between the opponents with these names, seat 1 first.
    ///
    /// # Errors
    /// When an opponent is unknown, or one failed.
    pub(super) fn play(&self, seats: [&str; 2], seed: Seed) -> Result<PlayedGame, PlayError> {
        let mut running = self.game.start(&self.options, seed).map_err(SetupError::from)?;
        let mut first = Timed::new(self.game, seats[0], Seat::One, seed)?;
        let mut second = Timed::new(self.game, seats[1], Seat::Two, seed)?;
        let mut answers = Answers(0);
        let players: [&mut dyn Player; 2] = [&mut first, &mut second];
        let ended = judge_referee::play(self.game, running.as_mut(), players, &mut answers);
        match ended.fault {
            None => Ok(PlayedGame {
                outcome: ended.outcome,
                answers: answers.0,
                times: [first.time, second.time],
            }),
            Some(fault) => Err(PlayError::Fault {
                game: self.game.name(),
                seed,
                detail: match fault.seat {
                    Some(seat) => format!("`{}`: {}", seats[seat.index()], fault.detail),
                    None => fault.detail.into(),
                },
            }),
        }
    }
}

/// A player that measures its time, including creation, where some prepare their tables.
struct Timed {
    player: Box<dyn Player>,
    time: Duration,
}

impl Timed {
    fn new(game: &dyn Game, name: &str, seat: Seat, seed: Seed) -> Result<Timed, SetupError> {
        let begin = thread_time();
        let player = judge_referee::reference(game, name, seat, seed)?;
        Ok(Timed { player, time: thread_time().saturating_sub(begin) })
    }
}

impl Player for Timed {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        let begin = thread_time();
        let told = self.player.notice(line);
        self.time += thread_time().saturating_sub(begin);
        told
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let begin = thread_time();
        let answered = self.player.ask(line, answer);
        self.time += thread_time().saturating_sub(begin);
        answered
    }
}

/// Counts the answers.
struct Answers(u64);

impl Observer for Answers {
    fn called(
        &mut self,
        _seat: Seat,
        _line: &str,
        answer: Option<&str>,
        _fuel: Option<u64>,
        _state: &dyn GameState,
    ) {
        self.0 += u64::from(answer.is_some());
    }

    fn failed(&mut self, _seat: Seat, _line: &str, _state: &dyn GameState) {}
}
