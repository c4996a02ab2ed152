//! Shared parts of an arena's pages: names, figures and lists of pairs.

use std::collections::BTreeMap;

use judge_core::Scoring;
use judge_runner::contest::ladder::Estimate;
use judge_store::{BotId, BotStatus, LadderBot, PairKind, PairRow, PairState, RoundLine};

use super::super::when::CourseClock;
use super::InArena;
use crate::App;
use crate::standings::rounded;
use crate::web::RequestFailure;
use crate::words::Words;

/// Name of a bot's author: the pseudonym, or the real name for staff and if the author shows it.
/// None for a reference opponent.
pub fn author_name(bot: &LadderBot, is_staff: bool) -> Option<String> {
    bot.person.as_ref()?;
    let name = if is_staff || bot.shows_real_name { &bot.real_name } else { &bot.pseudonym };
    Some(name.clone().unwrap_or_default())
}

/// The display name of a bot.
#[derive(Debug, Clone)]
pub(super) struct BotName {
    pub(super) name: String,
    pub(super) link: String,
    pub(super) who: String,
    pub(super) is_mine: bool,
}

/// The display names of an arena's bots.
pub(super) struct BotNames(BTreeMap<BotId, BotName>);

impl BotNames {
    pub(super) async fn load(
        app: &App,
        place: &InArena,
        words: &Words,
    ) -> Result<BotNames, RequestFailure> {
        let bots =
            app.store().ladder_bots(&place.arena.id).await.map_err(RequestFailure::internal)?;
        Ok(BotNames::new(&bots, place, words))
    }

    pub(super) fn new(bots: &[LadderBot], place: &InArena, words: &Words) -> BotNames {
        let (is_staff, address) = (place.attendance.role.is_staff(), place.address());
        let name = |bot: &LadderBot| BotName {
            name: bot.name.clone(),
            link: format!("{address}/bots/{}", bot.id),
            who: author_name(bot, is_staff)
                .unwrap_or_else(|| words.t("ladder.reference").to_owned()),
            is_mine: place.is_mine(bot),
        };
        BotNames(bots.iter().map(|bot| (bot.id.clone(), name(bot))).collect())
    }

    pub(super) fn get(&self, bot: &BotId) -> BotName {
        let nobody = || BotName {
            name: "–".to_owned(),
            link: String::new(),
            who: String::new(),
            is_mine: false,
        };
        self.0.get(bot).cloned().unwrap_or_else(nobody)
    }
}

/// The name of a scoring.
pub(in crate::pages) fn scoring_name(words: &Words, scoring: Scoring) -> String {
    let word = match scoring {
        Scoring::Result => words.t("ladder.by_result"),
        Scoring::Score => words.t("ladder.by_score"),
    };
    word.to_owned()
}

/// The heading of ratings, with their unit.
pub(super) fn rating_title(words: &Words, scoring: Scoring) -> String {
    let word = match scoring {
        Scoring::Result => words.t("ladder.rating"),
        Scoring::Score => words.t("ladder.rating_score"),
    };
    word.to_owned()
}

/// A rating, `+120` or `+3.4`.
pub(super) fn points(scoring: Scoring, points: f64) -> String {
    signed(scoring, rounded(scoring, points), "∞")
}

/// A rounded number with its sign; zero has none.
fn signed(scoring: Scoring, points: Option<f64>, infinite: &str) -> String {
    match (points, scoring) {
        (None, _) => infinite.to_owned(),
        (Some(0.0), _) => "0".to_owned(),
        (Some(points), Scoring::Result) => format!("{points:+.0}").replace('-', "−"),
        (Some(points), Scoring::Score) => format!("{points:+.1}").replace('-', "−"),
    }
}

/// An interval, `+96 … +151`.
pub(super) fn interval(scoring: Scoring, low: Option<f64>, high: Option<f64>) -> String {
    format!("{} … {}", signed(scoring, low, "−∞"), signed(scoring, high, "∞"))
}

/// The interval of a rating.
pub(super) fn interval_of(scoring: Scoring, rating: &Estimate) -> String {
    interval(scoring, rounded(scoring, rating.low), rounded(scoring, rating.high))
}

/// A remark next to a bot's rating, if there is one.
pub(super) fn remark(words: &Words, status: BotStatus, is_provisional: bool) -> Option<String> {
    let remark = match status {
        BotStatus::Benched(_) => words.t("ladder.benched"),
        BotStatus::Withdrawn => words.t("ladder.withdrawn"),
        BotStatus::Active if is_provisional => words.t("ladder.provisional"),
        BotStatus::Active => return None,
    };
    Some(remark.to_owned())
}

/// The closed seasons of an arena: each number with its remark.
#[derive(Debug, Default)]
pub(super) struct ClosedSeasons(BTreeMap<i64, String>);

impl ClosedSeasons {
    pub(super) async fn load(
        app: &App,
        place: &InArena,
        words: &Words,
    ) -> Result<ClosedSeasons, RequestFailure> {
        let clock = CourseClock::from_course(&place.attendance.course);
        let all =
            app.store().seasons_of(&place.arena.id).await.map_err(RequestFailure::internal)?;
        let closed = all.into_iter().filter_map(|season| {
            let ended = clock.local(season.ended_at?);
            Some((season.number, words.t2("ladder.closed_on", season.title, ended)))
        });
        Ok(ClosedSeasons(closed.collect()))
    }

    /// The title of a closed season and when it ended; none for the present one.
    pub(super) fn get(&self, number: i64) -> Option<String> {
        self.0.get(&number).cloned()
    }
}

/// A line of a list of pairs.
#[derive(Debug)]
pub(super) struct PairLine {
    /// The closed season of the pair, and when it ended.
    pub(super) closed: Option<String>,
    pub(super) link: String,
    pub(super) when: String,
    pub(super) kind: String,
    pub(super) one: BotName,
    pub(super) one_version: i64,
    pub(super) other: BotName,
    pub(super) other_version: i64,
    /// Points of both sides, or the state of the pair.
    pub(super) result: String,
    /// Faults, each with the bot that failed.
    pub(super) faults: Vec<String>,
}

/// The lines of a list of pairs. If a bot is given, it comes first in each.
pub(super) fn pair_lines(
    words: &Words,
    names: &BotNames,
    (place, closed): (&InArena, &ClosedSeasons),
    pairs: &[PairRow],
    of: Option<&BotId>,
) -> Vec<PairLine> {
    let clock = CourseClock::from_course(&place.attendance.course);
    let line = |pair: &PairRow| {
        let sides = match of {
            Some(bot) if pair.bots[0].0 != *bot => [1, 0],
            _ => [0, 1],
        };
        let [(one, one_version), (other, other_version)] = sides.map(|side| &pair.bots[side]);
        PairLine {
            closed: closed.get(pair.season),
            link: format!("{}/pairs/{}", place.address(), pair.id),
            when: clock.local(pair.ended_at.unwrap_or(pair.asked_at)),
            kind: kind(words, pair.kind),
            one: names.get(one),
            one_version: *one_version,
            other: names.get(other),
            other_version: *other_version,
            result: result(words, pair, sides),
            faults: faults(words, names, pair),
        }
    };
    pairs.iter().map(line).collect()
}

pub(super) fn kind(words: &Words, kind: PairKind) -> String {
    let word = match kind {
        PairKind::Rated => words.t("ladder.rated"),
        PairKind::Challenge => words.t("ladder.challenge"),
    };
    word.to_owned()
}

/// `1½ : ½`, or the state of the pair.
fn result(words: &Words, pair: &PairRow, sides: [usize; 2]) -> String {
    match pair.state {
        // Rated pairs are stored when they begin.
        PairState::Waiting if pair.kind == PairKind::Rated => words.t("ladder.playing").to_owned(),
        PairState::Waiting => words.t("ladder.waiting").to_owned(),
        PairState::JudgeError => words.t("ladder.judge_error").to_owned(),
        PairState::Cancelled => words.t("ladder.cancelled").to_owned(),
        PairState::Done => {
            let own: u8 = pair.rounds.iter().map(|round| round.half_points).sum();
            let both = [own, 4 - own.min(4)];
            format!("{} : {}", half(both[sides[0]]), half(both[sides[1]]))
        }
    }
}

/// Half points as points: `1½`.
pub(super) fn half(half_points: u8) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// The faults in a pair, each with the bot that failed.
pub(super) fn faults(words: &Words, names: &BotNames, pair: &PairRow) -> Vec<String> {
    let fault = |round: &RoundLine| {
        let (side, verdict) = round.fault.as_ref()?;
        let name = names.get(&pair.bots[*side].0).name;
        Some(words.t2("ladder.fault_of", name, super::super::result::label(words, verdict)))
    };
    pair.rounds.iter().filter_map(fault).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_signs() {
        let elo = |figure| points(Scoring::Result, figure);
        assert_eq!([119.6, -0.2, -7.0, f64::INFINITY].map(elo), ["+120", "0", "−7", "∞"]);
        let score = |figure| points(Scoring::Score, figure);
        assert_eq!([11.96, -0.02, -7.0, 0.25].map(score), ["+12.0", "0", "−7.0", "+0.3"]);
        let rating = Estimate { value: 1.0, low: f64::NEG_INFINITY, high: 3.44 };
        assert_eq!(interval_of(Scoring::Result, &rating), "−∞ … +3");
        assert_eq!(interval_of(Scoring::Score, &rating), "−∞ … +3.4");
        assert_eq!([0, 1, 2, 3, 4].map(half), ["0", "½", "1", "1½", "2"]);
    }
}
