//! The page of a pair: both rounds with their results, and links to their replays.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use judge_report::page::filters;
use judge_store::{PairRow, PairState, RoundLine};

use super::super::result::label;
use super::super::when::CourseClock;
use super::InArena;
use super::view::{BotName, BotNames, ClosedSeasons, kind};
use crate::App;
use crate::translate::translate;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};
use crate::words::Words;

#[derive(Template)]
#[template(path = "arena_pair.html")]
struct PairPage {
    frame: PageFrame,
    address: String,
    arena_title: String,
    kind: String,
    when: String,
    /// The closed season of the pair, and when it ended.
    closed: Option<String>,
    bots: [(BotName, i64); 2],
    /// The state, for a pair without a result.
    state: Option<String>,
    seed: Option<String>,
    judge: Option<String>,
    rounds: Vec<ArenaRound>,
}

struct ArenaRound {
    number: usize,
    /// The names in seats 1 and 2.
    seats: [String; 2],
    scores: [i64; 2],
    result: String,
    reason: String,
    /// The detail for the author of the side that failed.
    detail: Option<String>,
    watch: Option<String>,
    plies: u64,
    digest: String,
}

/// `/c/{course}/a/{arena}/pairs/{pair}`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, arena, id)): Path<(String, String, String)>,
) -> Result<Response, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let pair = place.pair(&app, &id).await?;
    let words = viewer.language.words();
    let names = BotNames::load(&app, &place, words).await?;
    let own = format!("{}/pairs/{}", place.address(), pair.id);
    let is_staff = place.attendance.role.is_staff();
    let bots = pair.bots.each_ref().map(|(bot, version)| (names.get(bot), *version));
    let rounds = pair.rounds.iter().enumerate();
    let rounds = rounds.map(|(at, round)| shown_round(words, (at, round), &bots, &own, is_staff));
    let waits = pair.state == PairState::Waiting;
    let title = format!("{} – {}", bots[0].0.name, bots[1].0.name);
    let frame = PageFrame::new(&viewer, title).in_course(place.attendance.link());
    let frame = if waits { PageFrame { waits, ..frame.with_script("wait.js") } } else { frame };
    let clock = CourseClock::from_course(&place.attendance.course);
    shown(&PairPage {
        frame,
        address: place.address(),
        arena_title: place.arena.title.clone(),
        closed: ClosedSeasons::load(&app, &place, words).await?.get(pair.season),
        kind: kind(words, pair.kind),
        when: clock.exact(pair.ended_at.unwrap_or(pair.asked_at)),
        state: state(words, &pair),
        rounds: rounds.collect(),
        seed: pair.seed,
        judge: pair.judge.map(|(judge, engine)| format!("judge {judge}, {engine}")),
        bots,
    })
}

fn state(words: &Words, pair: &PairRow) -> Option<String> {
    let text = match pair.state {
        PairState::Done => return None,
        PairState::Waiting => words.t("ladder.waits"),
        PairState::JudgeError => words.t("ladder.given_up"),
        PairState::Cancelled => words.t("ladder.cancelled"),
    };
    Some(text.to_owned())
}

fn shown_round(
    words: &Words,
    (at, round): (usize, &RoundLine),
    bots: &[(BotName, i64); 2],
    own: &str,
    is_staff: bool,
) -> ArenaRound {
    // In the second round the first side has seat 2.
    let sides = if at == 0 { [0, 1] } else { [1, 0] };
    let result = match round.half_points {
        0 => words.t1("ladder.won_by", &bots[1].0.name),
        1 => words.t("ladder.draw").to_owned(),
        _ => words.t1("ladder.won_by", &bots[0].0.name),
    };
    let fault = round.fault.as_ref();
    let mine = |side: usize| is_staff || bots[side].0.is_mine;
    ArenaRound {
        number: at + 1,
        seats: sides.map(|side| bots[side].0.name.clone()),
        scores: sides.map(|side| round.scores[side]),
        // A round that ended by a fault is shown as the fault, not as a victory.
        result: match fault {
            Some((side, verdict)) => {
                words.t2("ladder.fault_of", &bots[*side].0.name, label(words, verdict))
            }
            None => result,
        },
        reason: round.reason.clone(),
        detail: fault
            .filter(|(side, _)| mine(*side))
            .and(round.detail.as_deref())
            .map(|detail| translate(words, detail)),
        watch: round.has_record.then(|| format!("{own}/{}", at + 1)),
        plies: round.plies,
        digest: round.digest.to_string(),
    }
}
