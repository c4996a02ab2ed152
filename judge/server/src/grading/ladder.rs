//! Work of a lane while no submission waits: it plays a challenge, or else the rated pair that adds
//! most to the ratings.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use judge_arena::{ArenaError, Run};
use judge_core::Seat;
use judge_runner::contest::ladder::{
    self, Goal, LadderEntrant, LadderPair, LadderPlayer, PlayedPair, choose,
};
use judge_store::{
    Arena, BotStatus, Error, LadderBot, LadderJob, LadderSide, NewRound, PairResult, Timestamp,
};

use super::season::{end_season, open_places};
use crate::App;
use crate::standings::SeasonResults;

/// Length of a pair's lease.
const LEASE: Duration = Duration::from_secs(60);

/// Time between two renewals of a lease.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// Time between two tries after a failure of the database.
const AFTER_AN_OUTAGE: Duration = Duration::from_secs(5);

/// Most pairs that a closing season plays to separate its top places.
const LAST_PAIRS: usize = 500;

/// The aim of rated pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// Play until ratings are known well enough; bots with a known rating pause.
    Known,
    /// Play without end, as in a measurement.
    Endless,
}

/// Plays pairs for a lane.
#[derive(Debug)]
pub struct LadderTurn {
    app: App,
    worker: String,
    run: Run,
    aim: Aim,
    /// The arena to check first, because arenas take turns.
    next: AtomicUsize,
}

/// The reason why a pair has no result.
#[derive(Debug, thiserror::Error)]
enum FailedPair {
    #[error("the server stops")]
    Stopped,
    #[error(transparent)]
    Store(#[from] Error),
    #[error(transparent)]
    Arena(ArenaError),
    #[error("the judge failed in a round: {0}")]
    Round(String),
    #[error("a module is not in the database")]
    NoModule,
    #[error("the pair panicked")]
    Panicked,
}

impl LadderTurn {
    /// Plays pairs on the workers of that run.
    pub fn new(app: &App, worker: &str, run: Run) -> LadderTurn {
        let (app, worker, next) = (app.clone(), worker.to_owned(), AtomicUsize::new(0));
        LadderTurn { app, worker, run, aim: Aim::Known, next }
    }

    /// Sets another aim.
    #[must_use]
    pub fn aiming_at(self, aim: Aim) -> LadderTurn {
        LadderTurn { aim, ..self }
    }

    /// Plays a pair; false if none was due.
    pub async fn take(&self) -> bool {
        match self.find().await {
            Ok(None) => false,
            Ok(Some(job)) => {
                self.play_and_store(&job).await;
                true
            }
            Err(error) => {
                tracing::error!(%error, "the ladders cannot be read");
                false
            }
        }
    }

    /// The pair to play next.
    async fn find(&self) -> Result<Option<LadderJob>, Error> {
        let (store, now) = (self.app.store(), Timestamp::now());
        if let Some(job) = store.next_pair(&self.worker, LEASE, now).await? {
            return Ok(Some(job));
        }
        let arenas = store.open_arenas().await?;
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        for at in 0..arenas.len() {
            let arena = &arenas[(first + at) % arenas.len()];
            if let Some(job) = self.rated(arena, now).await? {
                return Ok(Some(job));
            }
        }
        Ok(None)
    }

    /// The rated pair of an arena that adds most to its ratings. Ends the season if that is due.
    async fn rated(&self, arena: &Arena, now: Timestamp) -> Result<Option<LadderJob>, Error> {
        let store = self.app.store();
        let Some(mut season) = store.season(&arena.id, arena.season).await? else {
            return Ok(None);
        };
        if season.closing.is_none() && season.ends_at.is_some_and(|end| end <= now) {
            store.close_season(&arena.id, arena.season, now).await?;
            season.closing = Some((now, arena.done));
        }
        let goal = match (season.closing, self.aim) {
            (None, Aim::Known) => Goal::All,
            (None, Aim::Endless) => Goal::Endless,
            (Some((_, from)), _) => match self.last_goal(arena, from).await? {
                Some(goal) => goal,
                None => {
                    end_season(&self.app, arena, &season, now).await?;
                    return Ok(None);
                }
            },
        };
        // Held until the pair is stored, so that the next lane to choose counts it as under way.
        let results = self.app.season_cache().open(store, arena).await?;
        let bots: Vec<LadderBot> = store.ladder_bots(&arena.id).await?;
        let bots: Vec<&LadderBot> =
            bots.iter().filter(|bot| bot.status == BotStatus::Active).collect();
        let under_way = under_way(&self.app, arena, &results).await?;
        let entrants: Vec<LadderEntrant> =
            bots.iter().filter_map(|bot| entrant(&results, bot)).collect();
        if entrants.len() != bots.len() {
            return Ok(None);
        }
        let ladder = std::sync::Arc::clone(results.ladder());
        let chosen =
            tokio::task::spawn_blocking(move || choose(&ladder, &entrants, &under_way, &goal));
        let chosen = chosen.await.map_err(|error| Error::Thread(error.to_string()))?;
        let Some(two) = chosen else {
            drop(results);
            if season.closing.is_some() {
                // Further pairs cannot separate the places.
                end_season(&self.app, arena, &season, now).await?;
            }
            return Ok(None);
        };
        let versions = two.map(|at| &bots[at].newest.id);
        let lease = (self.worker.as_str(), LEASE);
        let job = store.begin_rated((&arena.id, arena.season), versions, lease, now).await?;
        drop(results);
        Ok(job)
    }

    /// The remaining goal of a closing season; none if it can end.
    async fn last_goal(&self, arena: &Arena, from: i64) -> Result<Option<Goal>, Error> {
        // Challenges do not count towards the last pairs of a season.
        let last = self.app.store().rated_pairs(&arena.id, arena.season, from).await?;
        if last.len() >= LAST_PAIRS { Ok(None) } else { open_places(&self.app, arena).await }
    }

    /// Plays a pair, and stores its result or the failure.
    async fn play_and_store(&self, job: &LadderJob) {
        let (lanes, instruments) = (self.app.lanes(), self.app.instruments());
        lanes.begin();
        instruments.playing.inc();
        let done = self.finish(job).await;
        instruments.playing.dec();
        lanes.end();
        let store = self.app.store();
        let _ = match done {
            Ok(()) => Ok(()),
            Err(FailedPair::Stopped | FailedPair::Store(Error::Archived)) => {
                store.hand_back_pair(job).await
            }
            Err(FailedPair::Store(error)) if error.is_outage() => {
                tracing::error!(pair = %job.id, %error, "the database failed during a pair");
                self.hand_back_when_possible(job).await
            }
            Err(error) => {
                tracing::error!(pair = %job.id, attempt = job.attempt, %error, "a pair failed");
                store.pair_failed(job).await
            }
        };
    }

    /// Hands a pair back to a database that failed, as soon as that works again.
    async fn hand_back_when_possible(&self, job: &LadderJob) -> Result<(), Error> {
        loop {
            let done = self.app.store().hand_back_pair(job).await;
            if done.is_ok() || self.app.lanes().is_stopped() {
                return done;
            }
            tokio::time::sleep(AFTER_AN_OUTAGE).await;
        }
    }

    async fn finish(&self, job: &LadderJob) -> Result<(), FailedPair> {
        let store = self.app.store();
        let alive = async {
            loop {
                tokio::time::sleep(SIGN_OF_LIFE).await;
                let _ = store.renew_pair(job, LEASE, Timestamp::now()).await;
            }
        };
        let played = tokio::select! {
            played = self.play(job) => played?,
            () = alive => return Ok(()),
        };
        let failed = played.rounds.iter().find(|round| round.is_judge_error());
        if let Some(fault) = failed.and_then(|round| round.fault.as_ref()) {
            return Err(FailedPair::Round(fault.detail.to_string()));
        }
        let result = result(job, &self.run, &played);
        if store.finish_pair(job, &result, Timestamp::now()).await? {
            self.app.instruments().pairs.inc();
            tracing::info!(pair = %job.id, kind = %job.kind, "a pair was played");
        }
        Ok(())
    }

    async fn play(&self, job: &LadderJob) -> Result<PlayedPair, FailedPair> {
        let [one, other] = &job.sides;
        let players = [self.player(one).await?, self.player(other).await?];
        let (game, options) = (job.game.clone(), job.options.clone());
        let pair = LadderPair { game, options, seed: job.seed, players };
        let (run, app) = (self.run.clone(), self.app.clone());
        let played = tokio::task::spawn_blocking(move || {
            let played = ladder::play(&run, &pair);
            let missing = run.pool().isolation().missing();
            app.lanes().note_isolation(missing.iter().map(|wall| wall.name.clone()).collect());
            played
        });
        played.await.map_err(|_| FailedPair::Panicked)?.map_err(|error| match error {
            ArenaError::Stopped => FailedPair::Stopped,
            error => FailedPair::Arena(error),
        })
    }

    async fn player(&self, side: &LadderSide) -> Result<LadderPlayer, FailedPair> {
        let module = match &side.module {
            None => None,
            Some(hash) => Some(self.app.store().module(hash).await?.ok_or(FailedPair::NoModule)?),
        };
        Ok(LadderPlayer { name: side.name.clone(), module })
    }
}

fn entrant(results: &SeasonResults, bot: &LadderBot) -> Option<LadderEntrant> {
    Some(LadderEntrant {
        player: results.player(&bot.newest.id)?,
        author: bot.owner.as_ref().map(ToString::to_string),
        pairs: results.record(&bot.newest.id).pairs,
    })
}

/// Pairs that other lanes are playing, as numbers of players.
async fn under_way(
    app: &App,
    arena: &Arena,
    results: &SeasonResults,
) -> Result<Vec<[usize; 2]>, Error> {
    let pairs = app.store().pairs_under_way(&arena.id, arena.season).await?;
    let players = pairs
        .iter()
        .filter_map(|[one, other]| Some([results.player(one)?, results.player(other)?]));
    Ok(players.collect())
}

fn result(job: &LadderJob, run: &Run, played: &PlayedPair) -> PairResult {
    let round = |at: usize| {
        let (round, record) = (&played.rounds[at], &played.records[at]);
        let seats = [round.seat, round.seat.other()];
        let fault = round.failed().zip(round.fault.as_ref()).map(|(side, fault)| {
            let detail = played.details[at].clone().unwrap_or_default();
            (side, fault.verdict.label().to_owned(), detail)
        });
        NewRound {
            half_points: u8::try_from(round.half_points()).unwrap_or_default(),
            scores: seats.map(|seat| round.outcome.score(seat)),
            reason: round.outcome.reason.clone(),
            fault,
            plies: round.figures.plies,
            fuel: seats.map(|seat: Seat| round.figures.fuel[seat.index()]),
            digest: round.figures.digest,
            record: record.to_replay(),
        }
    };
    PairResult {
        seed: job.seed,
        start: played.start,
        judge: run.pool().fingerprint().judge.clone(),
        engine: run.pool().fingerprint().engine.clone(),
        rounds: [round(0), round(1)],
    }
}
