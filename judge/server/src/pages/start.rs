//! `/start`, for beginners: the kits, a bot to submit at once, the rules.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;
use judge_runner::tools::games::{self, Game};

use super::play::CameFrom;
use crate::App;
use crate::web::{Keeper, PageFrame, RequestFailure, Tag, Viewer, shown};

/// A kit: its name for people, whether its bots can be graded, and its archive.
struct Kit {
    file: &'static str,
    language: &'static str,
    note: &'static str,
    bytes: &'static [u8],
}

/// The archive of a kit, packed by the build script.
macro_rules! kit {
    ($file:literal, $language:literal, $note:literal) => {
        Kit {
            file: concat!($file, ".zip"),
            language: $language,
            note: $note,
            bytes: include_bytes!(concat!(env!("OUT_DIR"), "/", $file, ".zip")),
        }
    };
}

/// The kits; those with bots that can be graded come first.
static KITS: [Kit; 7] = [
    kit!("cpp", "C++", "start.kit_cpp"),
    kit!("rust", "Rust", "start.kit_rust"),
    kit!("assemblyscript", "AssemblyScript", "start.kit_assemblyscript"),
    kit!("go", "Go", "start.kit_go"),
    kit!("c", "C, Zig", "start.kit_c"),
    kit!("javascript", "JavaScript", "start.kit_script"),
    kit!("python", "Python", "start.kit_script"),
];

/// A simple bot to submit at once.
struct SimpleBot {
    game: &'static str,
    file: &'static str,
    module: &'static [u8],
}

macro_rules! simple_bot {
    ($game:literal, $bot:literal) => {
        SimpleBot {
            game: $game,
            file: concat!($bot, ".wasm"),
            module: include_bytes!(concat!("../../../../sample-bots/prebuilt/", $bot, ".wasm")),
        }
    };
}

/// A simple bot for each game that has one.
static BOTS: [SimpleBot; 5] = [
    simple_bot!("mahjong", "mahjong-distance"),
    simple_bot!("patchwork", "patchwork-first-fit"),
    simple_bot!("agamemnon", "agamemnon-crossroads"),
    simple_bot!("cc", "cc-runner"),
    simple_bot!("amazons", "amazons-open"),
];

/// The protocol, for bots without a kit.
const PROTOCOL: &str = include_str!("../../../../sdk/PROTOCOL.md");

/// Name of the protocol's file among the rules.
const PROTOCOL_FILE: &str = "PROTOCOL.md";

/// The first game of a suite that has a part on this page.
pub(super) fn first_game(games: &str) -> Option<&'static str> {
    let mut named = games.split(", ");
    named
        .find_map(|name| all_games().into_iter().find(|game| game.name == name))
        .map(|game| game.name)
}

#[derive(Template)]
#[template(path = "start.html")]
struct Start {
    frame: PageFrame,
    /// The course that the reader came from, in the addresses of this page.
    course: String,
    kits: Vec<KitEntry>,
    /// Languages of sources that the server builds; none if it takes only modules.
    languages: Option<String>,
    games: Vec<GameEntry>,
}

/// A game on the page.
struct GameEntry {
    name: &'static str,
    title: &'static str,
    /// The file of a simple bot, if there is one.
    bot: Option<&'static str>,
}

/// Every game of this judge.
fn all_games() -> Vec<GameEntry> {
    let games = games::run(&games::Request::default()).map(|outcome| outcome.games);
    let entry = |game: &'static dyn Game| {
        let bot = BOTS.iter().find(|bot| bot.game == game.name()).map(|bot| bot.file);
        GameEntry { name: game.name(), title: game.title(), bot }
    };
    games.into_iter().flatten().map(entry).collect()
}

/// A kit on the page, with its size.
struct KitEntry {
    kit: &'static Kit,
    kib: usize,
}

/// `/start`: public.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Option<Viewer>,
    Query(from): Query<CameFrom>,
    headers: HeaderMap,
) -> Result<Response, RequestFailure> {
    let frame = from.frame(&app, viewer.as_ref(), &headers).await?;
    let frame = PageFrame { title: frame.t("start.title").to_owned(), ..frame };
    let course = frame.course.as_ref().map(|course| format!("&course={}", course.slug));
    let entry = |kit: &'static Kit| KitEntry { kit, kib: kit.bytes.len().div_ceil(1024) };
    let kits = KITS.iter().map(entry).collect();
    let (course, languages) = (course.unwrap_or_default(), app.builds().languages_in_words());
    shown(&Start { frame, course, kits, languages, games: all_games() })
}

/// `/start/kits/{file}`: a kit's archive.
pub(super) async fn kit(
    Path(file): Path<String>,
    asked: HeaderMap,
) -> Result<Response, RequestFailure> {
    let kit = KITS.iter().find(|kit| kit.file == file).ok_or(RequestFailure::NotFound)?;
    Ok(download(&asked, &format!("judge-kit-{file}"), "application/zip", kit.bytes))
}

/// `/start/bots/{file}`: the module of a simple bot.
pub(super) async fn bot(
    Path(file): Path<String>,
    asked: HeaderMap,
) -> Result<Response, RequestFailure> {
    let bot = BOTS.iter().find(|bot| bot.file == file).ok_or(RequestFailure::NotFound)?;
    Ok(download(&asked, bot.file, "application/wasm", bot.module))
}

/// `/start/rules/{file}`: the rules of a game, or the protocol, as text.
pub(super) async fn rules(
    Path(file): Path<String>,
    asked: HeaderMap,
) -> Result<Response, RequestFailure> {
    let text = match file.as_str() {
        PROTOCOL_FILE => PROTOCOL,
        _ => {
            file.strip_suffix(".md").and_then(games::rules_page).ok_or(RequestFailure::NotFound)?
        }
    };
    Ok(given(&asked, text.as_bytes(), [(CONTENT_TYPE, "text/plain; charset=utf-8".to_owned())]))
}

/// A file to download.
fn download(asked: &HeaderMap, name: &str, kind: &str, bytes: &'static [u8]) -> Response {
    let name = format!("attachment; filename=\"{name}\"");
    given(asked, bytes, [(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, name)])
}

/// A file of the program, or `304` if the browser has it.
fn given<const N: usize>(
    asked: &HeaderMap,
    bytes: &'static [u8],
    headers: [(axum::http::HeaderName, String); N],
) -> Response {
    let tag = Tag::of_file(bytes);
    match tag.is_known(asked) {
        true => tag.unchanged(Keeper::Anybody),
        false => tag.on((headers, bytes), Keeper::Anybody),
    }
}
