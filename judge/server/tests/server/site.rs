//! A server in a separate folder, with a course and its people, and without a socket.

use std::path::Path;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_TYPE, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use judge_core::IgnoreEvents;
use judge_grading::{Secrets, Suite};
use judge_runner::base::workers::Workers;
use judge_runner::suites;
use judge_server::config::Settings;
use judge_server::{App, app, grading};
use judge_store::{
    Address, Course, NewCourse, NewPerson, NewSubmission, NewSuite, Person, Role, Store,
    SuiteSettings, Timestamp, TokenKind,
};
use tempfile::TempDir;
use tower::ServiceExt as _;

use crate::support::postgres;

/// Host header of the tests' requests.
pub(crate) const HOSTNAME: &str = "judge.test";

/// Seeds of the hidden testcase. No answer to a student may contain them.
pub(crate) const HIDDEN_SEEDS: [u64; 2] = [770_011_223_344, 770_011_223_355];

/// Words that are only in the hidden testcase.
pub(crate) const HIDDEN_WORDS: [&str; 2] = ["zanzibar-gate", "Quagmire of the hidden"];

/// A server with a course `ai` that has a suite `mahjong`.
pub(crate) struct Site {
    pub(crate) app: App,
    pub(crate) router: Router,
    pub(crate) course: Course,
    /// Removed on drop.
    folder: TempDir,
}

/// A signed-in person.
#[derive(Clone)]
pub(crate) struct SignedIn {
    pub(crate) person: Person,
    pub(crate) session: String,
    pub(crate) token: String,
}

/// An answer of the server.
pub(crate) struct PageReply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl PageReply {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The address that it redirects to.
    pub(crate) fn leads_to(&self) -> &str {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.text());
        self.header("location")
    }
}

/// A short suite: one open testcase of two rounds, and a hidden one.
pub(crate) fn suite() -> Suite {
    suite_with(&[6001, 6002])
}

/// The short suite with these seeds in its open testcase.
pub(crate) fn suite_with(open_seeds: &[u64]) -> Suite {
    let bundled = suites::named(Path::new("mahjong"), &mut IgnoreEvents).unwrap();
    let warm_up = &bundled.files.iter().find(|(name, _)| name == "01-warm-up.toml").unwrap().1;
    let seeds = "[6001, 6002, 6003, 6004, 6005, 6006, 6007, 6008]";
    let least = "min_score = 236";
    assert!(warm_up.contains(seeds) && warm_up.contains(least));
    let open = warm_up.replace(seeds, &format!("{open_seeds:?}")).replace(least, "min_score = 20");
    let [first, second] = HIDDEN_SEEDS;
    let title = "Beat the bot that throws its largest tile";
    assert!(warm_up.contains(title));
    let hidden =
        warm_up.replace(seeds, &format!("[{first}, {second}]")).replace(title, HIDDEN_WORDS[1]);
    let head = "title = \"Short\"\n[hidden]\nfolder = \"../hidden\"\nshows = \"points\"\n";
    let files = [("suite.toml", head), ("01-open.toml", &open)];
    let hidden = vec![(format!("02-{}.toml", HIDDEN_WORDS[0]), hidden)];
    Suite::with_secrets("short", files, Secrets { key: None, files: hidden }).unwrap()
}

/// The database of a site: a file, or a PostgreSQL server if `JUDGE_TEST_DATABASE` is `postgres`.
async fn database(folder: &Path) -> Address {
    if std::env::var("JUDGE_TEST_DATABASE").is_ok_and(|which| which == "postgres") {
        let made = tokio::task::spawn_blocking(postgres::database).await.unwrap();
        return made.expect("PostgreSQL is installed").parse().unwrap();
    }
    Address::Sqlite(folder.join("judge.db"))
}

/// The module of a sample bot.
pub(crate) fn bot(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
    std::fs::read(root.join(format!("{name}.wasm"))).unwrap()
}

/// A module with the same behaviour and other bytes: it has a number in a section that is never
/// read.
pub(crate) fn bot_with(name: &str, number: u8) -> Vec<u8> {
    let mut module = bot(name);
    module.extend([0, 3, 1, b'n', number]);
    module
}

impl Site {
    pub(crate) async fn new() -> Site {
        Site::with(Settings::default()).await
    }

    pub(crate) async fn with(settings: Settings) -> Site {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { data: Some(folder.path().to_owned()), ..settings };
        // Tests send requests faster than people do.
        let settings = Settings { rate: settings.rate.or(Some(10_000)), ..settings };
        let config = Settings { lanes: Some(1), ..settings }.check().unwrap();
        let store = Store::open(&database(folder.path()).await).await.unwrap();
        let now = Timestamp::now();
        let (slug, title) = ("ai".to_owned(), "Artificial <i>Play</i>".to_owned());
        let course = NewCourse { slug, title, time_zone: "Asia/Shanghai".to_owned() };
        let course = store.create_course(&course, now).await.unwrap();
        let files = suite();
        let settings = SuiteSettings::default();
        let new = NewSuite { course: &course.id, slug: "mahjong", files: &files, settings };
        store.create_suite(&new, now).await.unwrap();
        let app = App::new(config, store);
        Site { router: self::app(app.clone()), app, course, folder }
    }

    /// Starts the lanes, with workers of the real program.
    pub(crate) async fn grade(&self) {
        let mut workers = Workers::of_this_program().unwrap();
        workers.command.program = env!("CARGO_BIN_EXE_judge-server").into();
        grading::start(&self.app, "test", workers).await.unwrap();
    }

    /// Adds a new person to the course.
    pub(crate) async fn join(&self, name: &str, role: Role) -> SignedIn {
        let (store, now) = (self.app.store(), Timestamp::now());
        let new = NewPerson { name: name.to_owned(), ..NewPerson::default() };
        let person = store.add_person(&new, now).await.unwrap();
        store.join(&self.course.id, &person.id, role, now).await.unwrap();
        self.signed_in(person).await
    }

    /// A new session and token of a person.
    pub(crate) async fn signed_in(&self, person: Person) -> SignedIn {
        let (store, now) = (self.app.store(), Timestamp::now());
        let end = now.after(Duration::from_secs(3600));
        let mut secrets = Vec::new();
        for kind in [TokenKind::Session, TokenKind::Api] {
            let (_, secret) = store.new_token(&person.id, kind, "test", end, now).await.unwrap();
            secrets.push(secret.reveal().to_owned());
        }
        SignedIn { person, session: secrets.remove(0), token: secrets.remove(0) }
    }

    /// The current state of the suite.
    pub(crate) async fn suite(&self) -> judge_store::Suite {
        let suite = self.app.store().suite_by_slug(&self.course.id, "mahjong").await.unwrap();
        suite.unwrap()
    }

    /// Changes the suite's settings.
    pub(crate) async fn set(&self, settings: SuiteSettings) {
        let id = self.suite().await.id;
        self.app.store().change_suite(&id, &settings).await.unwrap();
    }

    /// Notifies open pages of a changed scoreboard.
    pub(crate) async fn board_moved(&self) {
        self.app.hub().board_moved(&self.suite().await.id);
    }

    /// Stores a result with `points` of twenty points, of which the open testcase has ten, without
    /// playing. Returns the submission's id.
    pub(crate) async fn result_of(&self, who: &SignedIn, points: u32) -> String {
        self.result_of_source(who, points, None).await
    }

    /// Like [`Site::result_of`], for a module that the server built from this source.
    pub(crate) async fn result_of_source(
        &self,
        who: &SignedIn,
        points: u32,
        source: Option<&str>,
    ) -> String {
        let (store, suite, now) = (self.app.store(), self.suite().await, Timestamp::now());
        let module = now.millis().to_le_bytes();
        let new = NewSubmission {
            suite: &suite.id,
            person: &who.person.id,
            name: "bot",
            file_name: if source.is_some() { "bot.py" } else { "bot.wasm" },
            module: &module,
            source: source.map(str::as_bytes),
            stored_at_most: u64::MAX,
        };
        let submission = store.submit(&new, now).await.unwrap();
        let report = crate::made::report(&submission.module, points, 1);
        store.write_result(&submission, 1, &report, now).await.unwrap();
        submission.id.to_string()
    }

    /// Submits a module by the API.
    pub(crate) async fn upload(&self, who: &SignedIn, file: &str, module: &[u8]) -> PageReply {
        let address = format!("/api/v1/courses/ai/suites/mahjong/submissions?name={file}");
        let bearer = format!("Bearer {}", who.token);
        let request = Request::post(address).header(HOST, HOSTNAME).header("authorization", bearer);
        self.send(request.body(Body::from(module.to_vec())).unwrap()).await
    }

    /// The folder of the server's data.
    pub(crate) fn data(&self) -> &Path {
        self.folder.path()
    }

    /// Sends a request unchanged.
    pub(crate) async fn send(&self, request: Request<Body>) -> PageReply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, 64 << 20).await.unwrap().to_vec();
        PageReply { status: parts.status, headers: parts.headers, body }
    }

    /// Opens a page.
    pub(crate) async fn get(&self, who: Option<&SignedIn>, address: &str) -> PageReply {
        self.send(request(Method::GET, who, address).body(Body::empty()).unwrap()).await
    }

    /// Sends a form like one of the server's pages.
    pub(crate) async fn post(
        &self,
        who: Option<&SignedIn>,
        address: &str,
        form: &str,
    ) -> PageReply {
        let request = request(Method::POST, who, address)
            .header(ORIGIN, format!("http://{HOSTNAME}"))
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(form.to_owned())).unwrap()).await
    }

    /// Submits a module by the form of the suite's page.
    pub(crate) async fn submit(&self, who: &SignedIn, file: &str, module: &[u8]) -> PageReply {
        let request = request(Method::POST, Some(who), "/c/ai/s/mahjong/submissions")
            .header(ORIGIN, format!("http://{HOSTNAME}"))
            .header(CONTENT_TYPE, "multipart/form-data; boundary=line");
        self.send(request.body(Body::from(form(file, module))).unwrap()).await
    }

    /// Sends a GET request to the API.
    pub(crate) async fn api(&self, who: &SignedIn, address: &str) -> PageReply {
        let bearer = format!("Bearer {}", who.token);
        let request = Request::get(address).header(HOST, HOSTNAME).header("authorization", bearer);
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Sends a POST request without a body to the API.
    pub(crate) async fn api_post(&self, who: &SignedIn, address: &str) -> PageReply {
        let bearer = format!("Bearer {}", who.token);
        let request = Request::post(address).header(HOST, HOSTNAME).header("authorization", bearer);
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Waits for the result of a submission.
    pub(crate) async fn result(&self, who: &SignedIn, id: &str) -> serde_json::Value {
        loop {
            let answer = self.api(who, &format!("/api/v1/submissions/{id}")).await;
            let told: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
            if told["state"] != "waiting" {
                return told;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// A request with a person's session.
pub(crate) fn request(
    method: Method,
    who: Option<&SignedIn>,
    address: &str,
) -> axum::http::request::Builder {
    let request = Request::builder().method(method).uri(address).header(HOST, HOSTNAME);
    match who {
        Some(who) => request.header(COOKIE, format!("session={}", who.session)),
        None => request,
    }
}

/// A form with a file in it.
pub(crate) fn form(file: &str, module: &[u8]) -> Vec<u8> {
    let head = format!(
        "--line\r\nContent-Disposition: form-data; name=\"module\"; filename=\"{file}\"\r\n\
         Content-Type: application/wasm\r\n\r\n"
    );
    [head.as_bytes(), module, b"\r\n--line--\r\n"].concat()
}
