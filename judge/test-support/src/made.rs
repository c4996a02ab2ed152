//! People, suites and reports for tests.

use judge_core::{
    BotIdentity, BotReport, Digest, Fingerprint, GradeReport, Limits, Points, Seat, TestcaseReport,
    Timing, Verdict, digest,
};
use judge_grading::{Secrets, Suite as GradingSuite};
use judge_store::{
    Course, LinkMaker, NewCourse, NewPerson, NewSubmission, NewSuite, PersonId, Role, Store,
    Submission, Suite, SuiteSettings, Timestamp,
};

/// Eight o'clock in the morning in Shanghai, on 2026-11-23.
pub const NOW: Timestamp = Timestamp::from_millis(1_795_392_000_000);

/// A moment this many milliseconds after [`NOW`].
pub fn later(millis: i64) -> Timestamp {
    Timestamp::from_millis(NOW.millis() + millis)
}

/// A suite of one open testcase worth ten points, and one hidden.
pub fn files(title: &str) -> GradingSuite {
    let head = format!("title = '{title}'\n[hidden]\nfolder = 'secret'\n");
    let case = "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseeds = [1, 2]\n\
                min_score = 1\npoints = 10\n";
    let hidden = ("02-hidden.toml".to_owned(), case.replace("[1, 2]", "[424242]"));
    let secrets = Secrets { key: None, files: vec![hidden] };
    let files = [("suite.toml", head.as_str()), ("01-open.toml", case)];
    GradingSuite::with_secrets("warm-up", files, secrets).unwrap()
}

/// A new course.
pub async fn course(store: &Store) -> Course {
    let new = NewCourse {
        slug: "ai".to_owned(),
        title: "AI".to_owned(),
        time_zone: "Asia/Shanghai".to_owned(),
    };
    store.create_course(&new, NOW).await.unwrap()
}

/// A new suite in a course.
pub async fn suite(store: &Store, course: &Course, settings: SuiteSettings) -> Suite {
    let (files, course) = (files("Warm-up"), &course.id);
    let new = NewSuite { course, slug: "warm-up", files: &files, settings };
    store.create_suite(&new, NOW).await.unwrap()
}

/// A new member of a course.
pub async fn member(store: &Store, course: &Course, name: &str, role: Role) -> PersonId {
    let new = NewPerson { name: name.to_owned(), ..NewPerson::default() };
    let person = store.add_person(&new, NOW).await.unwrap();
    store.join(&course.id, &person.id, role, NOW).await.unwrap();
    person.id
}

/// A person who makes links without a session.
pub fn by(person: &PersonId) -> LinkMaker<'_> {
    LinkMaker { person, session: None }
}

/// A course with a suite and two students.
pub async fn scene(store: &Store, settings: SuiteSettings) -> (Suite, [PersonId; 2]) {
    let course = course(store).await;
    let suite = suite(store, &course, settings).await;
    let ada = member(store, &course, "Ada", Role::Student).await;
    let bob = member(store, &course, "Bob", Role::Student).await;
    (suite, [ada, bob])
}

/// A submission that is not stored yet.
pub fn new<'a>(suite: &'a Suite, person: &'a PersonId, module: &'a [u8]) -> NewSubmission<'a> {
    NewSubmission {
        suite: &suite.id,
        person,
        name: "bot",
        file_name: "bot.wasm",
        module,
        source: None,
        stored_at_most: u64::MAX,
    }
}

/// Stores a submission.
pub async fn submit(
    store: &Store,
    suite: &Suite,
    person: &PersonId,
    module: &[u8],
    at: Timestamp,
) -> Submission {
    store.submit(&new(suite, person, module), at).await.unwrap()
}

/// A report with `points` of twenty points, for `fuel`.
pub fn report(module: &Digest, points: u32, fuel: u64) -> GradeReport {
    let verdict = if points == 20 { Verdict::Accepted } else { Verdict::BelowThreshold };
    let open = case("01-open", points.min(10), fuel);
    let hidden = TestcaseReport { hidden: true, ..case("02-hidden", points.saturating_sub(10), 0) };
    let bot = BotIdentity { name: "bot".to_owned(), sha256: *module, author: None };
    let cases = vec![open, TestcaseReport { verdict, ..hidden }];
    GradeReport {
        version: GradeReport::VERSION,
        fingerprint: fingerprint(),
        suite: "warm-up".to_owned(),
        title: "Warm-up".to_owned(),
        bots: vec![BotReport::new(bot, None, Points::whole(20), cases)],
        seal: digest(&[]),
        timing: Timing { wall_us: 7, ..Timing::default() },
    }
    .sealed()
}

/// The fingerprint of the judge in these reports.
pub fn fingerprint() -> Fingerprint {
    Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() }
}

fn case(name: &str, points: u32, fuel: u64) -> TestcaseReport {
    TestcaseReport {
        name: name.to_owned(),
        title: "x".to_owned(),
        game: "mahjong".to_owned(),
        opponent: "random".to_owned(),
        seat: Seat::One,
        sha256: digest(name.as_bytes()),
        verdict: if points == 10 { Verdict::Accepted } else { Verdict::BelowThreshold },
        blame: None,
        detail: "fine".to_owned(),
        score: i64::from(points),
        min_score: 1,
        points: Points::whole(points),
        max_points: Points::whole(10),
        extra: Points::ZERO,
        weight: None,
        credit: None,
        hidden: false,
        shows: None,
        limits: Limits::COURSE,
        fuel,
        peak_memory_bytes: 0,
        rounds: Vec::new(),
        reproduce: None,
        trace: None,
    }
}
