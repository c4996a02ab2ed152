//! The meetings of a round robin as a report: differences in strength.

use judge_core::Options;
use judge_games::OpponentInfo;
use judge_statistics::{self as statistics, Estimate, Ratings, pair_score};
use serde_json::{Value, json};

use super::figures::{between, give_or_take, milliseconds, per_cent};
use super::report::{FigureTable, StrengthReport};
use super::round_robin::{NamedMeeting, RoundRobin};

/// Heading of a column for games with scores.
const DIFFERENCE: &str = "score difference";

/// Makes the report of the meetings of a plan.
pub(super) fn summary(plan: &RoundRobin, meetings: &[NamedMeeting]) -> StrengthReport {
    let opponents = plan.setting.game.opponents();
    let ratings = rate(opponents, meetings);
    StrengthReport {
        title: title(plan),
        tables: vec![results(meetings), standing(opponents, &ratings, meetings)],
        times: times(meetings),
        json: json!({
            "game": plan.setting.game.name(),
            "options": plan.setting.options,
            "seed": plan.seed,
            "games": 2 * plan.pairs,
            "meetings": meetings.iter().map(meeting_json).collect::<Vec<_>>(),
            "ratings": opponents.iter().zip(&ratings).map(rating_json).collect::<Vec<_>>(),
            "timing": meetings.iter().map(timing_json).collect::<Vec<_>>(),
        }),
    }
}

fn title(plan: &RoundRobin) -> String {
    let rules = rules(&plan.setting.options);
    let last = plan.seed.wrapping_add(plan.pairs - 1);
    let title = plan.setting.game.title();
    format!("{title}, {rules}, seeds {} to {last}, each from both seats.", plan.seed)
}

fn rules(options: &Options) -> String {
    if options.is_empty() {
        return "default rules".to_owned();
    }
    let switches: Vec<String> =
        options.iter().map(|(key, value)| format!("`{key}={value}`")).collect();
    switches.join(", ")
}

/// The rating of an opponent.
struct Rating {
    /// Distance above the first opponent.
    rating: Estimate,
    /// Distance above the previous one.
    step: Estimate,
}

/// All meetings have the same seeds, so their pairs are not independent.
fn rate(opponents: &[OpponentInfo], meetings: &[NamedMeeting]) -> Vec<Rating> {
    let meeting = |meeting: &NamedMeeting| statistics::RatedMeeting {
        players: meeting.players,
        pairs: (0..).zip(meeting.tally.sequence.iter().copied()).collect(),
    };
    let meetings: Vec<statistics::RatedMeeting> = meetings.iter().map(meeting).collect();
    let ratings = Ratings::fit(opponents.len(), &meetings);
    (0..opponents.len())
        .map(|player| Rating {
            rating: ratings.above(player, 0),
            step: ratings.above(player, player.saturating_sub(1)),
        })
        .collect()
}

fn results(meetings: &[NamedMeeting]) -> FigureTable {
    let mut table = FigureTable::new(&[
        "players",
        "games",
        "won",
        "drawn",
        "lost",
        "score, %",
        DIFFERENCE,
        "answers",
        "seat 1, %",
    ]);
    for NamedMeeting { names, tally, .. } in meetings {
        let [won, drawn, lost] = tally.results.map(|count| count.to_string());
        table.row(vec![
            versus(names),
            tally.games().to_string(),
            won,
            drawn,
            lost,
            per_cent(&pair_score(&tally.pairs)),
            give_or_take(&tally.difference(), 1),
            format!("{:.1}", tally.answers.mean(1.0).value),
            format!("{:.1}", 100.0 * tally.seat_one()),
        ]);
    }
    let scored = meetings.iter().any(|meeting| meeting.tally.has_scores());
    if scored { table } else { table.without(DIFFERENCE) }
}

/// One line per opponent, from weak to strong in the game's order.
fn standing(
    opponents: &[OpponentInfo],
    ratings: &[Rating],
    meetings: &[NamedMeeting],
) -> FigureTable {
    let mut table =
        FigureTable::new(&["opponent", "rating", "above the one before", "stronger than it"]);
    for (at, (opponent, rating)) in opponents.iter().zip(ratings).enumerate() {
        let name = format!("`{}`", opponent.name);
        if at == 0 {
            table.row(vec![name, "0".to_owned()]);
            continue;
        }
        let direct = meetings.iter().find(|meeting| meeting.players == [at, at - 1]);
        table.row(vec![
            name,
            between(&rating.rating),
            between(&rating.step),
            direct.map_or("", |meeting| stronger(&pair_score(&meeting.tally.pairs))).to_owned(),
        ]);
    }
    table
}

/// The result of a direct meeting for the first player.
fn stronger(score: &Estimate) -> &'static str {
    if score.low > 0.5 {
        "yes"
    } else if score.high < 0.5 {
        "no, weaker"
    } else {
        "not shown"
    }
}

fn times(meetings: &[NamedMeeting]) -> FigureTable {
    let mut table = FigureTable::new(&["players", "ms a game of the first", "of the second"]);
    for NamedMeeting { names, tally, .. } in meetings {
        let [first, second] = tally.times.map(|time| milliseconds(time, tally.games()));
        table.row(vec![versus(names), format!("{first:.2}"), format!("{second:.2}")]);
    }
    table
}

fn versus([first, second]: &[&str; 2]) -> String {
    format!("`{first}` – `{second}`")
}

fn meeting_json(NamedMeeting { names, tally, .. }: &NamedMeeting) -> Value {
    let [won, drawn, lost] = tally.results;
    json!({
        "players": names,
        "games": tally.games(),
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "pairs": tally.pairs,
        "score": pair_score(&tally.pairs),
        "difference": tally.has_scores().then(|| tally.difference()),
        "answers": tally.answers.mean(1.0),
        "seat_one": tally.seat_one(),
    })
}

fn rating_json((opponent, rating): (&OpponentInfo, &Rating)) -> Value {
    json!({ "opponent": opponent.name, "rating": rating.rating, "step": rating.step })
}

fn timing_json(NamedMeeting { names, tally, .. }: &NamedMeeting) -> Value {
    let ms_a_game = tally.times.map(|time| milliseconds(time, tally.games()));
    json!({ "players": names, "ms_a_game": ms_a_game })
}
