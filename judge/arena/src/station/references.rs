//! Rounds between reference opponents. These are the judge's own code and need no isolation, so
//! they are played in this process, and the record is made while they play.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use judge_core::{Fingerprint, Player, RoundRecord, RoundSpec, Seat, SeatSpec, Transcript};
use judge_referee::{RecordObserver, Retraced, RoundOutline, SetupError, transcript_of};
use judge_sandbox::worker::PlayTiming;

use super::{Station, blame};
use crate::pool::{ArenaError, Job, PlayedRound};

impl Station<'_> {
    /// Plays a round between reference opponents. If one panics, the judge failed in this round.
    pub(super) fn play_references(&self, job: &Job) -> Result<PlayedRound, ArenaError> {
        let (begin, spec) = (Instant::now(), &job.spec);
        let fingerprint = self.run.pool().fingerprint().clone();
        let record = match catch_unwind(AssertUnwindSafe(|| played(spec, fingerprint))) {
            Ok(record) => record?,
            Err(_) => {
                let failed = blame::judge_failed("a reference opponent panicked".to_owned());
                super::record(self.run, spec, &failed)?
            }
        };
        let outline = RoundOutline::new(&record);
        if self.run.rounds().is_some() {
            self.keep(&record, &outline, &transcript_of(&record), false)?;
        }
        let total_ns = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let timing = PlayTiming { total_ns, bot_ns: 0 };
        Ok(PlayedRound { record, outline, timing, start_up: Duration::ZERO })
    }
}

/// True if both players are reference opponents.
pub(super) fn is_of_references(spec: &RoundSpec) -> bool {
    spec.seats.iter().all(|seat| matches!(seat, SeatSpec::Reference { .. }))
}

fn played(spec: &RoundSpec, fingerprint: Fingerprint) -> Result<RoundRecord, SetupError> {
    let (game, mut state) = judge_referee::start(spec)?;
    let player = |seat| judge_referee::reference(game, spec.seat(seat).name(), seat, spec.seed);
    let (mut one, mut two) = (player(Seat::One)?, player(Seat::Two)?);
    let mut observer = RecordObserver::default();
    let players: [&mut dyn Player; 2] = [one.as_mut(), two.as_mut()];
    let conclusion = judge_referee::play(game, state.as_mut(), players, &mut observer);
    let round = Retraced { state, calls: observer.calls, conclusion };
    Ok(round.into_record(spec, fingerprint, &Transcript::default()))
}

#[cfg(test)]
mod tests {
    use judge_core::{BySeat, Limits, Options, Seed};

    use super::*;

    #[test]
    fn a_round_of_references_equals_that_of_a_worker() {
        let games = [
            ("mahjong", ["random", "straightforward"]),
            ("patchwork", ["greedy", "random"]),
            ("agamemnon", ["random", "greedy"]),
            ("cc", ["smart", "random"]),
            ("amazons", ["random", "random"]),
        ];
        for (seed, (game, names)) in (1..).zip(games) {
            let spec = RoundSpec {
                game: game.to_owned(),
                options: Options::new(),
                seed: Seed(seed),
                seats: names.map(|name| SeatSpec::Reference { name: name.to_owned() }),
                limits: Limits::COURSE,
            };
            assert!(is_of_references(&spec));
            let fingerprint = Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() };
            let worker = crate::play(&spec, BySeat::default(), &[]).expect("a game").transcript;
            let expected = judge_referee::record(&spec, fingerprint.clone(), &worker);
            let record = played(&spec, fingerprint).expect("a game");
            assert_eq!(Ok(&record), expected.as_ref(), "{game}");
            assert_eq!(transcript_of(&record), worker, "{game}");
        }
    }
}
