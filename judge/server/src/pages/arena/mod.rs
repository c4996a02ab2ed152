//! Pages of an arena: the ladder, a bot, a pair, and the forms on them.

mod bot;
mod forms;
mod manage;
mod page;
mod pair;
mod round;
mod view;

use axum::Router;
use axum::routing::{get, post};
use judge_store::{Arena, BotId, LadderBot, Owner, PairId, PairRow};

use super::{Attendance, plain};
use crate::App;
use crate::web::{RequestFailure, Viewer};

pub use forms::{enter_bot, request_challenge};
pub use manage::{NewLadder, change_arena, close_season, create_arena};
pub(super) use page::{ArenaEntry, benched, entries};
pub use view::author_name;
pub(super) use view::scoring_name;

/// The routes of these pages.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/c/{course}/a/{arena}", get(page::page))
        .route("/c/{course}/a/{arena}/seasons/{number}", get(page::season))
        .route("/c/{course}/a/{arena}/bots", post(forms::enter_form))
        .route("/c/{course}/a/{arena}/bots/{bot}", get(bot::page))
        .route("/c/{course}/a/{arena}/bots/{bot}/withdraw", post(forms::withdraw))
        .route("/c/{course}/a/{arena}/bots/{bot}/back", post(forms::back))
        .route("/c/{course}/a/{arena}/challenges", post(forms::challenge))
        .route("/c/{course}/a/{arena}/pairs/{pair}", get(pair::page))
        .route("/c/{course}/a/{arena}/pairs/{pair}/{round}", get(round::page))
        .route("/c/{course}/manage/a/{arena}", get(manage::page).post(manage::change))
        .route("/c/{course}/manage/a/{arena}/end", post(manage::end))
}

/// A reader within an arena.
#[derive(Debug, Clone)]
pub struct InArena {
    /// The reader's place in the course.
    pub attendance: Attendance,
    /// The arena.
    pub arena: Arena,
    /// The reader, and their group in the course.
    owners: Vec<Owner>,
}

impl InArena {
    /// Finds the arena with that slug in a course.
    ///
    /// # Errors
    /// When it does not exist, or the reader is not in the course.
    pub async fn load(
        app: &App,
        viewer: &Viewer,
        (course, arena): (&str, &str),
    ) -> Result<InArena, RequestFailure> {
        let attendance = Attendance::load(app, viewer, course).await?;
        plain(arena)?;
        let arena = app.store().arena_by_slug(&attendance.course.id, arena).await;
        let arena = arena.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
        let group = app.store().group_of(&attendance.course.id, &viewer.person.id).await;
        let group = group.map_err(RequestFailure::internal)?.map(|group| Owner::Group(group.id));
        let owners = group.into_iter().chain([Owner::Person(viewer.person.id.clone())]).collect();
        Ok(InArena { attendance, arena, owners })
    }

    /// True for a bot of the reader or of their group.
    pub fn is_mine(&self, bot: &LadderBot) -> bool {
        bot.owner.as_ref().is_some_and(|owner| self.owners.contains(owner))
    }

    /// A bot of the arena, withdrawn or not.
    ///
    /// # Errors
    /// When it does not exist.
    pub async fn bot(&self, app: &App, id: &str) -> Result<LadderBot, RequestFailure> {
        let id: BotId = id.parse().map_err(|_| RequestFailure::NotFound)?;
        let bot = app.store().ladder_bot(&id).await.map_err(RequestFailure::internal)?;
        bot.filter(|bot| bot.arena == self.arena.id).ok_or(RequestFailure::NotFound)
    }

    /// A bot of the arena that belongs to the reader or to their group.
    ///
    /// # Errors
    /// When it does not exist, or belongs to another person or group.
    pub async fn own_bot(&self, app: &App, id: &str) -> Result<LadderBot, RequestFailure> {
        let bot = self.bot(app, id).await?;
        match self.is_mine(&bot) {
            true => Ok(bot),
            false => Err(RequestFailure::NotAllowed),
        }
    }

    /// A pair of the arena.
    ///
    /// # Errors
    /// When it does not exist.
    pub async fn pair(&self, app: &App, id: &str) -> Result<PairRow, RequestFailure> {
        let id: PairId = id.parse().map_err(|_| RequestFailure::NotFound)?;
        let pair = app.store().pair(&id).await.map_err(RequestFailure::internal)?;
        pair.filter(|pair| pair.arena == self.arena.id).ok_or(RequestFailure::NotFound)
    }

    /// The address of the arena's page.
    pub fn address(&self) -> String {
        format!("/c/{}/a/{}", self.attendance.course.slug, self.arena.slug)
    }
}
