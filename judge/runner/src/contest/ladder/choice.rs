//! The choice of the next pair: the player with the least certain rating, and the opponent that
//! reduces this uncertainty most.

use judge_statistics::Knowledge;

use super::LadderRatings;

/// Half width of an interval, in rating points, below which a player gets no more turns.
const KNOWN: f64 = 20.0;

/// Number of pairs after which a player gets no more turns either, because no number of pairs can
/// settle the rating of a player that always wins.
const MOST_PAIRS: u64 = 2000;

/// Largest error, in rating points, that affects the order of turns. Players above it take turns by
/// their number of pairs, because the error of a player that always wins stays large.
const UNKNOWN: f64 = 40.0;

/// A fixed point takes turns until it has [`ENOUGH`] pairs, or one [`SHARE`]th of the mean number
/// of bots' pairs if that is more.
const ENOUGH: u64 = 20;
const SHARE: u64 = 4;

/// Number of standard errors that contain 95 % of estimates.
const Z: f64 = 1.96;

/// A bot or reference opponent on the ladder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LadderEntrant {
    /// Its number among the players, which equal modules share.
    pub player: usize,
    /// The author; none for a reference opponent.
    pub author: Option<String>,
    /// Number of its rated pairs.
    pub pairs: u64,
}

/// The goal of further pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// Know all ratings well enough.
    All,
    /// Improve all ratings without end, for a measurement.
    Endless,
    /// Separate these players.
    Apart(Vec<[usize; 2]>),
}

/// Returns the positions of the two entrants to play next; none if the goal is reached or no two
/// may meet. Pairs in progress count as played.
///
/// Bots of one person never meet each other, nor do equal modules, nor reference opponents.
pub fn choose(
    ladder: &LadderRatings,
    entrants: &[LadderEntrant],
    under_way: &[[usize; 2]],
    goal: &Goal,
) -> Option<[usize; 2]> {
    let knowledge = ladder.knowledge(under_way);
    let choice = Choice { ladder, entrants, under_way, knowledge };
    let players = match goal {
        Goal::Apart(targets) => choice.telling_apart(targets),
        Goal::All => choice.for_the_least_known(true),
        Goal::Endless => choice.for_the_least_known(false),
    };
    choice.seated(players?)
}

struct Choice<'a> {
    ladder: &'a LadderRatings,
    entrants: &'a [LadderEntrant],
    under_way: &'a [[usize; 2]],
    knowledge: Knowledge,
}

impl Choice<'_> {
    /// The players that this one may meet.
    fn opponents(&self, player: usize) -> Vec<usize> {
        let own: Vec<&LadderEntrant> =
            self.entrants.iter().filter(|entrant| entrant.player == player).collect();
        let may = |other: &&LadderEntrant| own.iter().any(|one| may_meet(one, other));
        let mut found: Vec<usize> =
            self.entrants.iter().filter(may).map(|other| other.player).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The players that are people's bots.
    fn players(&self) -> Vec<usize> {
        let bots = self.entrants.iter().filter(|entrant| entrant.author.is_some());
        let mut players: Vec<usize> = bots.map(|entrant| entrant.player).collect();
        players.sort_unstable();
        players.dedup();
        players
    }

    /// Fixed points other than the anchor that have few pairs compared with bots. They take turns,
    /// so that they meet the most informative opponents.
    fn fixed_points_to_meet(&self, bots: &[usize]) -> Vec<usize> {
        let mean = bots.iter().map(|bot| self.pairs(*bot)).sum::<u64>() / bots.len().max(1) as u64;
        let few = ENOUGH.max(mean / SHARE);
        let fixed = self.entrants.iter().filter(|entrant| entrant.author.is_none());
        let players = fixed.map(|entrant| entrant.player).filter(|player| *player > 0);
        players.filter(|player| !bots.contains(player) && self.pairs(*player) < few).collect()
    }

    fn pairs(&self, player: usize) -> u64 {
        let more = self.under_way.iter().filter(|pair| pair.contains(&player)).count();
        self.ladder.pairs[player] + more as u64
    }

    fn met(&self, one: usize, other: usize) -> u64 {
        let key = [one.min(other), one.max(other)];
        let more =
            self.under_way.iter().filter(|pair| pair.contains(&one) && pair.contains(&other));
        self.ladder.met.get(&key).copied().unwrap_or_default() + more.count() as u64
    }

    /// The player with the least certain rating, and its most informative opponent. Opponents that
    /// it has met more often count less, because the model does not fit every pair of players.
    fn for_the_least_known(&self, rests: bool) -> Option<[usize; 2]> {
        let is_known = |player: usize| {
            Z * self.knowledge.error(player, 0) <= KNOWN || self.pairs(player) >= MOST_PAIRS
        };
        let need = |player: usize| {
            self.knowledge.error(player, 0).min(UNKNOWN) / (1 + self.pairs(player)) as f64
        };
        let mut players = self.players();
        players.extend(self.fixed_points_to_meet(&players));
        players.retain(|player| !self.opponents(*player).is_empty());
        players.retain(|player| !rests || !is_known(*player));
        let player = largest(&players, |player| need(*player))?;
        let opponents = self.opponents(player);
        let often = |other: usize| {
            let expected = (1 + self.pairs(player)) as f64 / opponents.len() as f64;
            1.0 + self.met(player, other) as f64 / expected
        };
        let targets = [[player, 0]];
        let tells =
            |other: &usize| self.knowledge.gain([player, *other], &targets) / often(*other).powi(2);
        Some([player, largest(&opponents, tells)?])
    }

    /// The most informative pair about these distances.
    fn telling_apart(&self, targets: &[[usize; 2]]) -> Option<[usize; 2]> {
        let mut pairs = Vec::new();
        for player in self.players() {
            pairs.extend(self.opponents(player).into_iter().map(|other| [player, other]));
        }
        largest(&pairs, |pair| self.knowledge.gain(*pair, targets))
    }

    /// The entrants that play for these players; among equal modules, those with the fewest pairs.
    fn seated(&self, [one, other]: [usize; 2]) -> Option<[usize; 2]> {
        let of = |player: usize| {
            (0..self.entrants.len()).filter(move |at| self.entrants[*at].player == player)
        };
        let both = of(one).flat_map(|one| of(other).map(move |other| [one, other]));
        let fitting =
            both.filter(|[one, other]| may_meet(&self.entrants[*one], &self.entrants[*other]));
        fitting.min_by_key(|pair| pair.map(|at| self.entrants[at].pairs).iter().sum::<u64>())
    }
}

fn may_meet(one: &LadderEntrant, other: &LadderEntrant) -> bool {
    one.player != other.player && one.author != other.author
}

/// The first of those with the largest figure.
fn largest<T: Clone>(all: &[T], figure: impl Fn(&T) -> f64) -> Option<T> {
    let mut best: Option<(f64, &T)> = None;
    for one in all {
        let figure = figure(one);
        if best.is_none_or(|(most, _)| figure > most) {
            best = Some((figure, one));
        }
    }
    best.map(|(_, one)| one.clone())
}

#[cfg(test)]
mod tests {
    use judge_core::{Purpose, Scoring, Seed};
    use judge_statistics::RoundScore;

    use super::super::RatedPair;
    use super::*;

    /// Scores that do not count.
    const SCORES: [RoundScore; 2] = [RoundScore::Played(0); 2];

    fn entrant(player: usize, author: &str) -> LadderEntrant {
        let author = (!author.is_empty()).then(|| author.to_owned());
        LadderEntrant { player, author, pairs: 0 }
    }

    /// Returns two fixed points, and bots of these people.
    fn entrants(authors: &[&str]) -> Vec<LadderEntrant> {
        let fixed = [entrant(0, ""), entrant(1, "")];
        let bots = authors.iter().zip(2..).map(|(author, player)| entrant(player, author));
        fixed.into_iter().chain(bots).collect()
    }

    /// Chooses and plays that many pairs, with results drawn from the players' strengths.
    fn play(
        entrants: &[LadderEntrant],
        strengths: &[f64],
        pairs: u64,
        mut played: Vec<RatedPair>,
    ) -> Vec<RatedPair> {
        let mut random = Seed(pairs).random(Purpose::Chance);
        for _ in 0..pairs {
            let ladder = LadderRatings::rate(Scoring::Result, strengths.len(), &played);
            let Some(two) = choose(&ladder, entrants, &[], &Goal::All) else { break };
            let [one, other] = two.map(|at| entrants[at].player);
            let chance = 1.0 / (1.0 + (strengths[other] - strengths[one]).exp());
            let mut round = || 2 * u8::from(f64::from(random.below(10_000)) < chance * 1e4);
            let half_points = round() + round();
            let start = played.len() as u64;
            played.push(RatedPair { players: [one, other], start, half_points, scores: SCORES });
        }
        played
    }

    fn counts(played: &[RatedPair], players: usize) -> Vec<usize> {
        let of = |player| played.iter().filter(|pair| pair.players.contains(&player)).count();
        (0..players).map(of).collect()
    }

    #[test]
    fn bots_of_one_person_and_equal_modules_do_not_meet() {
        let mut all = entrants(&["ada", "ada", "bob", "carl"]);
        // Carl has submitted Bob's module.
        all[5].player = 4;
        let strengths = [0.0, 1.0, 0.5, -0.5, 2.0];
        let played = play(&all, &strengths, 300, Vec::new());
        assert_eq!(played.len(), 300);
        for RatedPair { players, .. } in &played {
            assert!(players[0] != players[1] && players.iter().any(|one| *one >= 2), "{players:?}");
            assert!(!(players.contains(&2) && players.contains(&3)), "both are Ada's");
        }
        let only_hers = entrants(&["ada", "ada"]);
        let none =
            choose(&LadderRatings::rate(Scoring::Result, 4, &[]), &only_hers[2..], &[], &Goal::All);
        assert_eq!(none, None);
    }

    #[test]
    fn every_bot_gets_pairs_and_a_new_bot_gets_them_soon() {
        let all = entrants(&["ada", "bob", "carl", "dora", "emil"]);
        let strengths = [0.0, 1.0, 0.3, 0.6, -0.4, 1.4, 0.5];
        let played = play(&all[..6], &strengths[..6], 400, Vec::new());
        let before = counts(&played, 6);
        assert!(before[2..].iter().all(|count| *count >= 100), "{before:?}");
        assert!(before[..2].iter().all(|count| *count >= 20), "fixed points take part: {before:?}");
        let more = play(&all, &strengths, 20, played.clone());
        assert!(counts(&more, 7)[6] >= 15, "{:?}", counts(&more, 7));
        // And then the others again.
        let later = play(&all, &strengths, 300, more);
        assert!(counts(&later, 7)[2] > before[2], "{:?}", counts(&later, 7));
    }

    #[test]
    fn a_fixed_point_meets_the_most_informative_bot() {
        let all = entrants(&["strong", "stronger", "weak", "weaker"]);
        // The second fixed point hardly ever wins against the first two, which are equally strong.
        let strengths = [0.0, -2.0, 3.0, 3.2, -1.0, -1.5];
        let played = play(&all, &strengths, 1000, Vec::new());
        let with = |other| {
            let both = |pair: &&RatedPair| [1, other].iter().all(|one| pair.players.contains(one));
            played.iter().filter(both).count()
        };
        let [strong, stronger, weak, weaker] = [2, 3, 4, 5].map(with);
        let told = format!("{strong} {stronger} {weak} {weaker}");
        // Every two meet occasionally, but not more often.
        assert!(weak + weaker >= strong + stronger, "{told}");
        assert!(weak + weaker >= 20, "{told}");
    }

    #[test]
    fn a_bot_that_always_wins_gets_only_its_share_of_pairs() {
        let all = entrants(&["ada", "bob", "carl"]);
        let strengths = [0.0, 0.5, 40.0, 0.2, 0.4];
        let found = counts(&play(&all, &strengths, 600, Vec::new()), 5);
        assert!(found[2] < 400, "{found:?}");
        assert!(found[3] > 150 && found[4] > 150, "{found:?}");
    }

    #[test]
    fn a_clone_does_not_change_the_pairs_of_others() {
        let single = entrants(&["ada", "bob", "carl"]);
        let mut cloned = single.clone();
        cloned.extend((0..5).map(|number| entrant(2, &format!("clone {number}"))));
        let strengths = [0.0, 0.5, 1.0, 0.2, 0.4];
        let [one, other] =
            [single, cloned].map(|all| counts(&play(&all, &strengths, 200, Vec::new()), 5));
        assert_eq!(one, other);
    }

    #[test]
    fn a_bot_with_a_certain_rating_gets_few_pairs() {
        let all = entrants(&["ada", "bob"]);
        let even = |players, start| RatedPair {
            players,
            start,
            half_points: (start % 5) as u8,
            scores: SCORES,
        };
        let all_meet = |start| [[2, 3], [2, 0], [3, 0], [2, 1], [3, 1]].map(|two| even(two, start));
        let played: Vec<RatedPair> = (0..2000).flat_map(all_meet).collect();
        let ladder = LadderRatings::rate(Scoring::Result, 4, &played);
        assert_eq!(choose(&ladder, &all, &[], &Goal::All), None);
        assert!(choose(&ladder, &all, &[], &Goal::Endless).is_some());
        let apart = choose(&ladder, &all, &[], &Goal::Apart(vec![[2, 3]])).expect("a pair");
        assert_eq!(apart.map(|at| all[at].player), [2, 3]);
        let newcomers = LadderRatings::rate(Scoring::Result, 4, &[]);
        let under_way: Vec<[usize; 2]> = vec![[2, 0]; 30];
        let next = choose(&newcomers, &all, &under_way, &Goal::All).expect("a pair");
        assert_eq!(all[next[0]].player, 3, "the other one waits already");
    }
}
