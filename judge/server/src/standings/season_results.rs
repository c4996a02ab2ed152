//! All rated pairs of a season, read from the database as results come in, and the ratings computed
//! from them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use judge_core::Scoring;
use judge_runner::contest::ladder::{Estimate, LadderRatings, RatedPair, RoundScore};
use judge_store::{Arena, BotId, Error, RatedVersion, SeasonPair, Store, VersionId};

use super::Record;

/// Intervals are computed again only after this many times their computing time, so that they use
/// at most a twentieth of a processor.
const SELDOM: u32 = 20;

/// The results of a season.
#[derive(Debug)]
pub struct SeasonResults {
    arena: Arena,
    season: i64,
    /// Number of the arena's results up to the last one that was read.
    done: i64,
    versions: BTreeMap<VersionId, SeasonVersion>,
    /// Numbers of the players (modules and reference opponents); the anchor's is 0.
    players: BTreeMap<String, usize>,
    /// All rated pairs.
    pairs: Vec<SeasonPair>,
    /// The pairs that ratings are fitted to.
    rated: Vec<RatedPair>,
    records: BTreeMap<VersionId, Record>,
    /// Rounds between two bots, counted for the first.
    between: BTreeMap<(BotId, BotId), Record>,
    ladder: Arc<LadderRatings>,
    estimates: Option<Estimates>,
}

/// A version's bot, its number among the players, and the number up to which pairs with its faults
/// leave the ratings.
#[derive(Debug, Clone)]
struct SeasonVersion {
    bot: BotId,
    player: usize,
    faults_out: i64,
}

/// Ratings with intervals, and the state that they were computed from.
#[derive(Debug)]
struct Estimates {
    ladder: Arc<LadderRatings>,
    pairs: usize,
    at: Instant,
    cost: Duration,
    all: Arc<Vec<Estimate>>,
}

impl SeasonResults {
    /// The results of a season before its first pair.
    pub(super) fn new(arena: &Arena, season: i64) -> SeasonResults {
        SeasonResults {
            arena: arena.clone(),
            season,
            done: 0,
            versions: BTreeMap::new(),
            players: [(arena.anchor.clone(), 0)].into(),
            pairs: Vec::new(),
            rated: Vec::new(),
            records: BTreeMap::new(),
            between: BTreeMap::new(),
            ladder: Arc::new(LadderRatings::rate(arena.scoring, 1, &[])),
            estimates: None,
        }
    }

    /// The scoring of its ratings.
    pub fn scoring(&self) -> Scoring {
        self.arena.scoring
    }

    /// The season.
    pub fn season(&self) -> i64 {
        self.season
    }

    /// Reads the results since the last call, and the faults that leave the ratings.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) async fn refresh(&mut self, store: &Store) -> Result<(), Error> {
        let new = store.rated_pairs(&self.arena.id, self.season, self.done).await?;
        for version in store.all_versions(&self.arena.id).await? {
            self.know(version);
        }
        for pair in new {
            self.take(pair);
        }
        let (players, rated) = (self.players.len(), self.rated_pairs());
        let scoring = self.arena.scoring;
        if rated == self.rated && self.ladder.players() == players {
            return Ok(());
        }
        self.rated.clone_from(&rated);
        let ladder =
            tokio::task::spawn_blocking(move || LadderRatings::rate(scoring, players, &rated))
                .await;
        self.ladder = Arc::new(ladder.map_err(|error| Error::Thread(error.to_string()))?);
        Ok(())
    }

    fn know(&mut self, RatedVersion { bot, version, faults_out }: RatedVersion) {
        let next = self.players.len();
        let player = *self.players.entry(version.player).or_insert(next);
        self.versions.insert(version.id, SeasonVersion { bot, player, faults_out });
    }

    fn take(&mut self, pair: SeasonPair) {
        self.done = pair.done;
        for (side, version) in pair.versions.iter().enumerate() {
            self.records.entry(version.clone()).or_default().add_pair(&pair.rounds, side);
        }
        let bots = pair.versions.each_ref().map(|version| self.versions.get(version));
        // Versions are read after the pairs, so each pair's versions are known.
        if let [Some(one), Some(other)] = bots {
            let (one, other) = (one.bot.clone(), other.bot.clone());
            let both = [(one.clone(), other.clone()), (other, one)];
            for (side, bots) in both.into_iter().enumerate() {
                self.between.entry(bots).or_default().add_pair(&pair.rounds, side);
            }
        }
        self.pairs.push(pair);
    }

    /// The pairs that ratings are fitted to: all but those with a fault of a benched or withdrawn
    /// bot. Such a pair leaves as a whole, because its other round was played from one seat only.
    fn rated_pairs(&self) -> Vec<RatedPair> {
        self.pairs.iter().filter_map(|pair| self.rated_pair(pair)).collect()
    }

    fn rated_pair(&self, pair: &SeasonPair) -> Option<RatedPair> {
        let [one, other] = &pair.versions;
        let sides = [self.versions.get(one)?, self.versions.get(other)?];
        let is_out = |side: usize| pair.number <= sides[side].faults_out;
        if pair.rounds.iter().any(|(_, failed)| failed.is_some_and(is_out)) {
            return None;
        }
        let half_points = pair.rounds.iter().map(|(half_points, _)| half_points).sum();
        let players = sides.map(|side| side.player);
        let score = |at: usize| match pair.rounds[at].1 {
            Some(side) => RoundScore::Failed(side),
            None => RoundScore::Played(pair.differences[at]),
        };
        Some(RatedPair { players, start: pair.start, half_points, scores: [score(0), score(1)] })
    }

    /// The ratings.
    pub fn ladder(&self) -> &Arc<LadderRatings> {
        &self.ladder
    }

    /// Number of pairs that ratings are fitted to.
    pub fn pairs(&self) -> usize {
        self.rated.len()
    }

    /// The number of a version among the players, which equal modules share.
    pub fn player(&self, version: &VersionId) -> Option<usize> {
        self.versions.get(version).map(|known| known.player)
    }

    /// Rounds of a version.
    pub fn record(&self, version: &VersionId) -> Record {
        self.records.get(version).copied().unwrap_or_default()
    }

    /// The bots that a bot has met, with the rounds counted for it.
    pub fn met(&self, bot: &BotId) -> Vec<(BotId, Record)> {
        let own = self.between.iter().filter(|((one, _), _)| one == bot);
        own.map(|((_, other), record)| (other.clone(), *record)).collect()
    }

    /// Ratings with their intervals, by the numbers of the players, and the number of pairs that
    /// they were computed from, which can lag behind.
    ///
    /// # Errors
    /// When the thread that computes them panics.
    pub(super) async fn estimates(&mut self) -> Result<(Arc<Vec<Estimate>>, usize), Error> {
        if let Some(known) = self.estimates.as_ref().filter(|known| self.will_do(known)) {
            return Ok((Arc::clone(&known.all), known.pairs));
        }
        let (ladder, at) = (Arc::clone(&self.ladder), Instant::now());
        let fitted = Arc::clone(&ladder);
        let all = tokio::task::spawn_blocking(move || fitted.estimates()).await;
        let all = Arc::new(all.map_err(|error| Error::Thread(error.to_string()))?);
        let (pairs, cost, at) = (self.rated.len(), at.elapsed(), Instant::now());
        self.estimates = Some(Estimates { ladder, pairs, at, cost, all: Arc::clone(&all) });
        Ok((all, pairs))
    }

    fn will_do(&self, known: &Estimates) -> bool {
        let is_whole = Arc::ptr_eq(&known.ladder, &self.ladder);
        let is_recent = known.at.elapsed() < known.cost * SELDOM;
        known.ladder.players() == self.players.len() && (is_whole || is_recent)
    }
}
