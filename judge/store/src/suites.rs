//! Suites of a course: their settings, and their files by generation.

use judge_core::{Points, printable};
use judge_grading::{LateRules, Suite as GradingSuite};
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::archive::ChangedPart;
use crate::audit::{About, Act, changes};
use crate::basics::error::Error;
use crate::basics::id::{CourseId, SubmissionId, SuiteId};
use crate::basics::time::Timestamp;
use crate::counting::{counting, is_shown, ungraded};
use crate::extensions;
use crate::late::late_rules;
use crate::names::{LONGEST, tidy};
use crate::people::{slug, taken};
use crate::row::{Columns as _, words};
use crate::secrets;
use crate::store::Store;

words! {
    /// The part of the scoreboard that students see.
    ScoreboardMode {
        /// All results.
        Live = "live",
        /// Their own line and the three directly ahead.
        Ahead = "ahead",
        /// Results of submissions up to a moment.
        Frozen = "frozen",
        /// Nothing.
        Hidden = "hidden",
    }

    /// The rule by which one of a person's results counts.
    Counted {
        /// The one with most points; among equals, the first submission.
        Best = "best",
        /// The latest submission.
        Latest = "latest",
    }

    /// When students see the results of a day that are not shown at once.
    RestShown {
        /// On the next day.
        NextDay = "next_day",
        /// Once the suite is due; on the next day if it never is.
        Due = "due",
    }

    /// The part of hidden testcases that students see.
    HiddenShown {
        /// The part that the suite's files specify, at once.
        Files = "files",
        /// Nothing until the suite is due, and from then on the sum of their points.
        AfterDue = "after_due",
    }
}

/// The moment at which the results of a new generation are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    /// When all of them are in.
    Complete,
    /// When, in addition, an instructor accepts them.
    Accepted,
}

impl Showing {
    /// With a preview, or without one.
    pub fn with_preview(preview: bool) -> Showing {
        if preview { Showing::Accepted } else { Showing::Complete }
    }

    fn is_held(self) -> bool {
        self == Showing::Accepted
    }
}

/// The word on a preview in the log.
fn detail(is_held: bool) -> &'static str {
    if is_held { ", with a preview" } else { "" }
}

/// The submissions to grade again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All.
    All,
    /// The latest submission of each person and group.
    Latest,
    /// The submission of each person and group that counts.
    Counted,
    /// These.
    Listed(Vec<SubmissionId>),
}

/// An instructor's settings of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteSettings {
    /// First moment at which submissions are accepted; none for no restriction.
    pub opens_at: Option<Timestamp>,
    /// Last moment at which submissions are on time; none for no restriction.
    pub due_at: Option<Timestamp>,
    /// Rules for late submissions.
    pub late: LateRules,
    /// Most submissions of a person, or of a group, in a day; any number if none.
    pub attempts_per_day: Option<u32>,
    /// Most submissions of a person, or of a group, that may wait to be graded.
    pub pending_at_most: u32,
    /// Factor of its points in the course.
    pub weight: Points,
    /// The rule by which one of a person's results counts.
    pub counts: Counted,
    /// The part of the scoreboard that students see.
    pub scoreboard: ScoreboardMode,
    /// The moment at which a frozen scoreboard stops.
    pub frozen_at: Option<Timestamp>,
    /// Number of results of a person's day that are shown at once; all if none.
    pub shown_per_day: Option<u32>,
    /// When the other results of a day are shown.
    pub rest_shown: RestShown,
    /// The part of hidden testcases that students see.
    pub hidden_shown: HiddenShown,
    /// True if students submit in their groups.
    pub by_groups: bool,
}

impl Default for SuiteSettings {
    fn default() -> SuiteSettings {
        SuiteSettings {
            opens_at: None,
            due_at: None,
            late: LateRules::default(),
            attempts_per_day: None,
            pending_at_most: 5,
            weight: Points::whole(1),
            counts: Counted::Best,
            scoreboard: ScoreboardMode::Live,
            frozen_at: None,
            shown_per_day: None,
            rest_shown: RestShown::NextDay,
            hidden_shown: HiddenShown::Files,
            by_groups: false,
        }
    }
}

/// A suite in a course, without its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suite {
    /// Id.
    pub id: SuiteId,
    /// The course.
    pub course: CourseId,
    /// Short name for URLs.
    pub slug: String,
    /// One line for people, from its files or from an instructor.
    pub title: String,
    /// Its games, from its files, in alphabetical order: `amazons, cc`.
    pub games: String,
    /// The instructor's settings.
    pub settings: SuiteSettings,
    /// Last moment at which a submission can earn points, with the due dates of single students;
    /// none for no end.
    pub ends_at: Option<Timestamp>,
    /// The generation that is graded now.
    pub generation: i64,
    /// The generation with the shown results: the previous one until all results of the present one
    /// are in, and accepted if they are held.
    pub shown: i64,
    /// The generation before a preview; none if the results of the present one are shown without an
    /// instructor.
    pub held_from: Option<i64>,
    /// When it was created.
    pub created_at: Timestamp,
}

impl Suite {
    /// The scope that is actually graded again. While results of changed files are missing, another
    /// submission may become a person's best one, so all are graded again.
    pub fn regraded(&self, scope: Scope) -> Scope {
        let is_open = self.shown < self.generation && self.settings.counts == Counted::Best;
        if is_open && scope == Scope::Counted { Scope::All } else { scope }
    }
}

/// A new suite.
#[derive(Debug, Clone)]
pub struct NewSuite<'a> {
    /// The course.
    pub course: &'a CourseId,
    /// Short name for URLs: lower-case letters, digits and hyphens.
    pub slug: &'a str,
    /// Its files and secrets.
    pub files: &'a GradingSuite,
    /// The instructor's settings.
    pub settings: SuiteSettings,
}

const INSERT: &str = "INSERT INTO suite (id, course, slug, title, game, opens_at, due_at, \
    attempts_per_day, pending_at_most, weight, counts, scoreboard, frozen_at, shown_per_day, rest_shown, \
    hidden_shown, late, grace_minutes, percent_per_day, free_days, ends_at, by_groups, generation, \
    shown, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, \
    $16, $17, $18, $19, $20, $21, $22, 1, 1, $23)";
const CHANGE: &str = "UPDATE suite SET opens_at = $2, due_at = $3, attempts_per_day = $4, \
    pending_at_most = $5, weight = $6, counts = $7, scoreboard = $8, frozen_at = $9, \
    shown_per_day = $10, rest_shown = $11, hidden_shown = $12, late = $13, grace_minutes = $14, \
    percent_per_day = $15, free_days = $16, ends_at = $17, by_groups = $18 WHERE id = $1";
const CALL: &str = "UPDATE suite SET called = $2 WHERE id = $1";
const READ: &str = "SELECT * FROM suite WHERE id = $1";
const BY_SLUG: &str = "SELECT * FROM suite WHERE course = $1 AND slug = $2";
const OF_COURSE: &str = "SELECT * FROM suite WHERE course = $1 ORDER BY created_at, id";
const INSERT_GENERATION: &str = "INSERT INTO suite_generation \
    (suite, generation, name, scope, created_at) VALUES ($1, $2, $3, $4, $5)";
const GENERATION: &str = "SELECT name FROM suite_generation WHERE suite = $1 AND generation = $2";
const INSERT_FILE: &str =
    "INSERT INTO suite_file (suite, generation, name, text) VALUES ($1, $2, $3, $4)";
const FILES: &str = "SELECT name, text FROM suite_file WHERE suite = $1 AND generation = $2";
// Without submissions there is nothing to preview.
const NEXT: &str = "UPDATE suite SET generation = generation + 1, title = $2, game = $3, \
    held_from = CASE WHEN $4 = 0 \
    OR NOT EXISTS (SELECT 1 FROM submission WHERE suite = $1) THEN 0 \
    WHEN held_from > 0 THEN held_from ELSE generation END \
    WHERE id = $1 RETURNING generation";
const DISCARD: &str = "UPDATE suite_generation SET discarded = 1 WHERE suite = $1 \
    AND generation = (SELECT u.generation FROM suite u WHERE u.id = $1 AND u.held_from > 0)";
const LIST: &str = "INSERT INTO suite_scope (suite, generation, submission) \
    SELECT suite, $2, id FROM submission WHERE suite = $1 AND id = $3 \
    ON CONFLICT (suite, generation, submission) DO NOTHING";
const LIST_LATEST: &str = "INSERT INTO suite_scope (suite, generation, submission) \
    SELECT s.suite, $2, s.id FROM submission s WHERE s.suite = $1 AND s.id = (\
        SELECT l.id FROM submission l WHERE l.suite = s.suite AND l.owner = s.owner \
        ORDER BY l.received_at DESC, l.id DESC LIMIT 1)";
const LIST_BEST: &str = "INSERT INTO suite_scope (suite, generation, submission) \
    SELECT s.suite, $2, s.id FROM submission s JOIN suite u ON u.id = s.suite \
    WHERE s.suite = $1 AND s.id = (\
        SELECT r.submission FROM result r WHERE r.suite = s.suite AND r.owner = s.owner \
        AND (r.generation = u.shown OR (r.generation > u.shown AND r.is_first = 1)) \
        ORDER BY r.points DESC, r.received_at, r.submission LIMIT 1)";
// Former members: another submission may be theirs, or count for them, than for the group.
const LIST_LATEST_OF_MEMBERS: &str = "INSERT INTO suite_scope (suite, generation, submission) \
    SELECT DISTINCT x.suite, $2, x.submission FROM (SELECT u.id AS suite, (\
        SELECT s.id FROM submission s WHERE s.suite = u.id AND (s.owner = g.person \
        OR EXISTS (SELECT 1 FROM group_member o WHERE o.group_id = s.owner AND o.person = g.person \
        AND (o.left_at IS NULL OR s.received_at < o.left_at))) \
        ORDER BY s.received_at DESC, s.id DESC LIMIT 1) AS submission \
    FROM suite u JOIN group_member g ON g.course = u.course WHERE u.id = $1) x \
    WHERE x.submission IS NOT NULL ON CONFLICT (suite, generation, submission) DO NOTHING";
const LIST_BEST_OF_MEMBERS: &str = concat!(
    "INSERT INTO suite_scope (suite, generation, submission) \
     SELECT DISTINCT x.suite, $2, x.submission FROM (SELECT u.id AS suite, ",
    counting!("$1", "o.person", "o.person", is_shown!("u"), "points", "received_at, submission"),
    " AS submission FROM suite u JOIN group_member o ON o.course = u.course WHERE u.id = $1) x \
     WHERE x.submission IS NOT NULL ON CONFLICT (suite, generation, submission) DO NOTHING"
);
const ADVANCE: &str = concat!(
    "UPDATE suite SET shown = generation WHERE id = $1 AND shown < generation AND held_from = 0 \
     AND NOT EXISTS (SELECT 1 FROM ",
    ungraded!(),
    ")"
);

impl Store {
    /// Adds a suite to a course.
    ///
    /// # Errors
    /// When its slug is taken or cannot be used, or the database fails.
    pub async fn create_suite(&self, new: &NewSuite<'_>, now: Timestamp) -> Result<Suite, Error> {
        let mut transaction = self.change(ChangedPart::Course(new.course)).await?;
        let id = insert_suite(&mut transaction, new, now).await?;
        self.log(&mut transaction, Act::SuiteAdded, About::Suite(&id), (None, "")).await?;
        transaction.commit().await?;
        self.need_suite(&id).await
    }

    /// Changes the settings of a suite. Its results stay; the points that count follow the rules
    /// for late submissions.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn change_suite(&self, id: &SuiteId, new: &SuiteSettings) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Suite(id)).await?;
        let old = sqlx::query(READ).bind(id.as_str()).fetch_optional(&mut *transaction).await?;
        let query = settings(sqlx::query(CHANGE).bind(id.as_str()), new);
        query.execute(&mut *transaction).await?;
        extensions::recount(&mut transaction, id, None).await?;
        if let Some(old) = old.as_ref().map(suite).transpose()? {
            let detail = changed_settings(&old.settings, new);
            let about = About::Suite(id);
            self.log(&mut transaction, Act::SuiteChanged, about, (None, &detail)).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Gives a suite another title than that of its files; an empty one takes it back.
    ///
    /// # Errors
    /// When the title cannot be used, or the database fails.
    pub async fn call_suite(&self, id: &SuiteId, title: &str) -> Result<(), Error> {
        let title = Some(title.trim()).filter(|title| !title.is_empty());
        let title = title.map(|title| tidy("title", title)).transpose()?;
        let mut transaction = self.change(ChangedPart::Suite(id)).await?;
        let detail = title.clone().unwrap_or_default();
        call(&mut transaction, id, title).await?;
        self.log(&mut transaction, Act::SuiteCalled, About::Suite(id), (None, &detail)).await?;
        Ok(transaction.commit().await?)
    }

    /// A suite by its id.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn suite(&self, id: &SuiteId) -> Result<Option<Suite>, Error> {
        let row = sqlx::query(READ).bind(id.as_str()).fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(suite).transpose()?)
    }

    pub(crate) async fn need_suite(&self, id: &SuiteId) -> Result<Suite, Error> {
        let missing = || Error::Missing { what: "suite", value: id.to_string() };
        self.suite(id).await?.ok_or_else(missing)
    }

    /// A suite of a course by its slug.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn suite_by_slug(
        &self,
        course: &CourseId,
        slug: &str,
    ) -> Result<Option<Suite>, Error> {
        let query = sqlx::query(BY_SLUG).bind(course.as_str()).bind(slug);
        Ok(query.fetch_optional(&self.pool).await?.as_ref().map(suite).transpose()?)
    }

    /// The suites of a course, the oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn suites_of(&self, course: &CourseId) -> Result<Vec<Suite>, Error> {
        suites_in(&mut *self.pool.acquire().await?, course).await
    }

    /// The suite to grade on, hidden testcases included. Students may see only the parts that their
    /// reports show.
    ///
    /// # Errors
    /// When the generation does not exist, or the database fails.
    pub async fn grading_suite(
        &self,
        id: &SuiteId,
        generation: i64,
    ) -> Result<GradingSuite, Error> {
        let mut connection = self.pool.acquire().await?;
        grading_suite(&mut connection, id, generation).await
    }

    /// The public files of a suite, `suite.toml` among them, in the order of their names.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn suite_files(
        &self,
        id: &SuiteId,
        generation: i64,
    ) -> Result<Vec<(String, String)>, Error> {
        let mut connection = self.pool.acquire().await?;
        files(&mut connection, id, generation).await
    }

    /// Changes the files of a suite, which starts a new generation: everything is graded again, and
    /// the old results are shown until that is done and, with [`Showing::Accepted`], until an
    /// instructor accepts the new ones. The same files change nothing. Returns the generation to
    /// grade now.
    ///
    /// # Errors
    /// When the suite does not exist, or the database fails.
    pub async fn set_files(
        &self,
        id: &SuiteId,
        new: &GradingSuite,
        showing: Showing,
        now: Timestamp,
    ) -> Result<i64, Error> {
        let mut transaction = self.change(ChangedPart::Suite(id)).await?;
        let present = present(&mut transaction, id).await?;
        let old = grading_suite(&mut transaction, id, present).await?;
        if (&old.name, sorted(&old.files), &old.secrets)
            == (&new.name, sorted(&new.files), &new.secrets)
        {
            return Ok(present);
        }
        let generation =
            begin_generation(&mut transaction, id, ("all", showing.is_held()), new, now);
        let generation = generation.await?;
        advance(&mut transaction, id).await?;
        let detail = format!("generation {generation}{}", detail(showing.is_held()));
        self.log(&mut transaction, Act::SuiteFiles, About::Suite(id), (None, &detail)).await?;
        transaction.commit().await?;
        Ok(generation)
    }

    /// Grades submissions again with the same files, in a new generation. Once its results are shown,
    /// only these submissions count on the scoreboard. During a preview there is another preview,
    /// because the files may be new. Returns the generation.
    ///
    /// # Errors
    /// When the suite does not exist, or the database fails.
    pub async fn rejudge(
        &self,
        id: &SuiteId,
        scope: &Scope,
        showing: Showing,
        now: Timestamp,
    ) -> Result<i64, Error> {
        let suite = self.need_suite(id).await?;
        let scope = &suite.regraded(scope.clone());
        let mut transaction = self.change(ChangedPart::Suite(id)).await?;
        let present = present(&mut transaction, id).await?;
        let files = grading_suite(&mut transaction, id, present).await?;
        let kind = if *scope == Scope::All { "all" } else { "listed" };
        let is_held = showing.is_held() || suite.held_from.is_some();
        let generation = begin_generation(&mut transaction, id, (kind, is_held), &files, now);
        let generation = generation.await?;
        let one = |sql| sqlx::query(sql).bind(id.to_string()).bind(generation);
        match (scope, suite.settings.counts) {
            (Scope::All, _) => {}
            (Scope::Latest, _) | (Scope::Counted, Counted::Latest) => {
                one(LIST_LATEST).execute(&mut *transaction).await?;
                one(LIST_LATEST_OF_MEMBERS).execute(&mut *transaction).await?;
            }
            (Scope::Counted, Counted::Best) => {
                one(LIST_BEST).execute(&mut *transaction).await?;
                one(LIST_BEST_OF_MEMBERS).execute(&mut *transaction).await?;
            }
            (Scope::Listed(submissions), _) => {
                for submission in submissions {
                    one(LIST).bind(submission.to_string()).execute(&mut *transaction).await?;
                }
            }
        }
        advance(&mut transaction, id).await?;
        let detail = format!("generation {generation}, {kind}{}", detail(is_held));
        self.log(&mut transaction, Act::Rejudged, About::Suite(id), (None, &detail)).await?;
        transaction.commit().await?;
        Ok(generation)
    }
}

/// The changed settings, for the log.
fn changed_settings(old: &SuiteSettings, new: &SuiteSettings) -> String {
    let both = std::iter::zip(named(old), named(new));
    changes(&both.map(|((name, old), (_, new))| (name, old, new)).collect::<Vec<_>>())
}

/// The settings as texts. The pattern has no `..`, so that the compiler finds a missing one.
fn named(settings: &SuiteSettings) -> [(&'static str, String); 13] {
    let time = |at: &Option<Timestamp>| at.map_or("none".to_owned(), |at| at.to_string());
    let number = |many: &Option<u32>| many.map_or("any".to_owned(), |many| many.to_string());
    let SuiteSettings {
        opens_at,
        due_at,
        late,
        attempts_per_day,
        pending_at_most,
        weight,
        counts,
        scoreboard,
        frozen_at,
        shown_per_day,
        rest_shown,
        hidden_shown,
        by_groups,
    } = settings;
    [
        ("opens_at", time(opens_at)),
        ("due_at", time(due_at)),
        ("late", format!("{late:?}")),
        ("attempts_per_day", number(attempts_per_day)),
        ("pending_at_most", pending_at_most.to_string()),
        ("weight", weight.to_string()),
        ("counts", counts.name().to_owned()),
        ("scoreboard", scoreboard.name().to_owned()),
        ("frozen_at", time(frozen_at)),
        ("shown_per_day", number(shown_per_day)),
        ("rest_shown", rest_shown.name().to_owned()),
        ("hidden_shown", hidden_shown.name().to_owned()),
        ("by_groups", by_groups.to_string()),
    ]
}

/// A suite by its id, read by that connection.
pub(crate) async fn need_suite_in(
    connection: &mut AnyConnection,
    id: &SuiteId,
) -> Result<Suite, Error> {
    let row = sqlx::query(READ).bind(id.as_str()).fetch_optional(connection).await?;
    let missing = || Error::Missing { what: "suite", value: id.to_string() };
    Ok(suite(&row.ok_or_else(missing)?)?)
}

/// The suites of a course, read by that connection.
pub(crate) async fn suites_in(
    connection: &mut AnyConnection,
    course: &CourseId,
) -> Result<Vec<Suite>, Error> {
    let rows = sqlx::query(OF_COURSE).bind(course.as_str()).fetch_all(connection).await?;
    Ok(rows.iter().map(suite).collect::<Result<_, _>>()?)
}

/// The title of a suite's files, which an instructor writes, without control characters: PostgreSQL
/// cannot store some of them.
fn title_of(files: &GradingSuite) -> String {
    printable(&files.title, LONGEST)
}

/// Adds a suite, in the caller's transaction.
pub(crate) async fn insert_suite(
    connection: &mut AnyConnection,
    new: &NewSuite<'_>,
    now: Timestamp,
) -> Result<SuiteId, Error> {
    let id = SuiteId::random()?;
    let name = slug(new.slug)?;
    let query = sqlx::query(INSERT).bind(id.as_str()).bind(new.course.as_str()).bind(&name);
    let query = query.bind(title_of(new.files)).bind(games(new.files));
    let query = settings(query, &new.settings).bind(now.millis());
    taken(query.execute(&mut *connection).await, "suite", &name)?;
    insert_generation(connection, (&id, 1), "all", new.files, now).await?;
    Ok(id)
}

/// Sets the title that replaces that of a suite's files, in the caller's transaction.
pub(crate) async fn call(
    connection: &mut AnyConnection,
    id: &SuiteId,
    title: Option<String>,
) -> Result<(), Error> {
    sqlx::query(CALL).bind(id.as_str()).bind(title).execute(connection).await?;
    Ok(())
}

/// Shows the present generation if all of its results are in.
pub(crate) async fn advance(connection: &mut AnyConnection, id: &SuiteId) -> Result<(), Error> {
    sqlx::query(ADVANCE).bind(id.as_str()).execute(connection).await?;
    Ok(())
}

/// The suite to grade on, read by that connection.
pub(crate) async fn grading_suite(
    connection: &mut AnyConnection,
    id: &SuiteId,
    generation: i64,
) -> Result<GradingSuite, Error> {
    let query = sqlx::query(GENERATION).bind(id.as_str()).bind(generation);
    let row = query.fetch_optional(&mut *connection).await?;
    let missing = || Error::Missing { what: "generation of the suite", value: id.to_string() };
    let name = row.ok_or_else(missing)?.text("name")?;
    let files = files(connection, id, generation).await?;
    let secrets = secrets::read(connection, id, generation).await?;
    let texts = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    Ok(GradingSuite::with_secrets(&name, texts, secrets)?)
}

async fn present(connection: &mut AnyConnection, id: &SuiteId) -> Result<i64, Error> {
    let row = sqlx::query(READ).bind(id.as_str()).fetch_optional(connection).await?;
    let missing = || Error::Missing { what: "suite", value: id.to_string() };
    Ok(row.ok_or_else(missing)?.number("generation")?)
}

async fn files(
    connection: &mut AnyConnection,
    id: &SuiteId,
    generation: i64,
) -> Result<Vec<(String, String)>, Error> {
    let rows = sqlx::query(FILES).bind(id.as_str()).bind(generation).fetch_all(connection).await?;
    let file = |row: &AnyRow| Ok((row.text("name")?, row.text("text")?));
    let files = rows.iter().map(file).collect::<Result<Vec<_>, sqlx::Error>>()?;
    Ok(sorted(&files))
}

/// Begins a generation with a scope. `is_held` hides its results until an instructor accepts them.
pub(crate) async fn begin_generation(
    connection: &mut AnyConnection,
    id: &SuiteId,
    (scope, is_held): (&str, bool),
    files: &GradingSuite,
    now: Timestamp,
) -> Result<i64, Error> {
    sqlx::query(DISCARD).bind(id.as_str()).execute(&mut *connection).await?;
    let query = sqlx::query(NEXT).bind(id.as_str()).bind(title_of(files)).bind(games(files));
    let query = query.bind(i64::from(is_held));
    let generation = query.fetch_one(&mut *connection).await?.number("generation")?;
    insert_generation(connection, (id, generation), scope, files, now).await?;
    Ok(generation)
}

async fn insert_generation(
    connection: &mut AnyConnection,
    (id, generation): (&SuiteId, i64),
    scope: &str,
    files: &GradingSuite,
    now: Timestamp,
) -> Result<(), Error> {
    let query = sqlx::query(INSERT_GENERATION).bind(id.as_str()).bind(generation);
    let query = query.bind(&files.name).bind(scope).bind(now.millis());
    query.execute(&mut *connection).await?;
    for (name, text) in &files.files {
        let query = sqlx::query(INSERT_FILE).bind(id.as_str()).bind(generation);
        query.bind(name).bind(text).execute(&mut *connection).await?;
    }
    secrets::keep(connection, id, generation, &files.secrets).await
}

fn sorted(files: &[(String, String)]) -> Vec<(String, String)> {
    let mut files = files.to_vec();
    files.sort();
    files
}

/// The games of a suite, each once.
fn games(suite: &GradingSuite) -> String {
    let all = suite.testcases.iter().chain(&suite.locked);
    let mut games: Vec<&str> = all.map(|testcase| testcase.game.as_str()).collect();
    games.sort_unstable();
    games.dedup();
    games.join(", ")
}

type Query = sqlx::query::Query<'static, sqlx::Any, sqlx::any::AnyArguments>;

/// Binds the columns of the settings.
fn settings(query: Query, new: &SuiteSettings) -> Query {
    let millis = |time: Option<Timestamp>| time.map(Timestamp::millis);
    query
        .bind(millis(new.opens_at))
        .bind(millis(new.due_at))
        .bind(new.attempts_per_day.map(i64::from))
        .bind(i64::from(new.pending_at_most))
        .bind(i64::try_from(new.weight.thousandths()).unwrap_or(i64::MAX))
        .bind(new.counts.name())
        .bind(new.scoreboard.name())
        .bind(millis(new.frozen_at))
        .bind(new.shown_per_day.map(i64::from))
        .bind(new.rest_shown.name())
        .bind(new.hidden_shown.name())
        .bind(new.late.policy.name())
        .bind(i64::from(new.late.grace_minutes))
        .bind(i64::from(new.late.percent_per_day))
        .bind(i64::from(new.late.free_days))
        .bind(new.due_at.map(|due| new.late.last_with_points(due.millis())))
        .bind(i64::from(new.by_groups))
}

fn suite(row: &AnyRow) -> Result<Suite, sqlx::Error> {
    let small = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(Suite {
        id: row.parsed("id")?,
        course: row.parsed("course")?,
        slug: row.text("slug")?,
        title: row.maybe_text("called")?.map_or_else(|| row.text("title"), Ok)?,
        games: row.text("game")?,
        settings: SuiteSettings {
            opens_at: row.maybe_time("opens_at")?,
            due_at: row.maybe_time("due_at")?,
            late: late_rules(row)?,
            attempts_per_day: row.maybe_number("attempts_per_day")?.map(small),
            pending_at_most: small(row.number("pending_at_most")?),
            weight: Points::from_thousandths(row.count("weight")?),
            counts: row.parsed("counts")?,
            scoreboard: row.parsed("scoreboard")?,
            frozen_at: row.maybe_time("frozen_at")?,
            shown_per_day: row.maybe_number("shown_per_day")?.map(small),
            rest_shown: row.parsed("rest_shown")?,
            hidden_shown: row.parsed("hidden_shown")?,
            by_groups: row.flag("by_groups")?,
        },
        ends_at: row.maybe_time("ends_at")?,
        generation: row.number("generation")?,
        shown: row.number("shown")?,
        held_from: Some(row.number("held_from")?).filter(|generation| *generation > 0),
        created_at: row.time("created_at")?,
    })
}
