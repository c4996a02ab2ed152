//! Shared parts of replays: the page, the style of its pictures, and the file.

use std::fmt::Display;

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName};
use axum::response::{Html, Response};
use judge_core::RoundRecord;
use judge_runner::rounds::graded_rounds::{self, Beside, LinkedPage, Links};

use crate::App;
use crate::translate::page_language;
use crate::web::{Assets, Keeper, PageFrame, RequestFailure, Tag, Viewer};
use crate::words::Language;

/// Headers of the file `round-NAME.jsonl`.
pub(super) fn file_headers(name: impl Display) -> [(HeaderName, String); 2] {
    let kind = "application/jsonl; charset=utf-8".to_owned();
    let name = format!("attachment; filename=\"round-{name}.jsonl\"");
    [(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)]
}

/// The page of a round, for one reader.
pub(super) struct RoundPage {
    /// Language and navigation.
    pub(super) frame: PageFrame,
    /// The page's own address.
    pub(super) own: String,
    /// Address of the page that links here.
    pub(super) back: String,
    /// The name of that page, as the key of a text.
    pub(super) back_name: &'static str,
    /// The command that verifies the round's file.
    pub(super) verify: String,
}

impl RoundPage {
    /// Answers with the page, or with the style of its pictures if the address ends in `css`. A
    /// browser that has it gets `304`, and nothing is drawn: `identity` changes with the round. The
    /// round itself is read only if something must be drawn.
    pub(super) async fn answer(
        self,
        (app, reader): (&App, &Viewer),
        asked: &HeaderMap,
        ending: &str,
        identity: &[u8],
        record: impl FnOnce() -> Result<RoundRecord, RequestFailure> + Send + 'static,
    ) -> Result<Response, RequestFailure> {
        let ending = Ending::parse(ending).ok_or(RequestFailure::NotFound)?;
        let navigation = self.frame.navigation()?;
        let code = self.frame.words.language.code();
        let parts = [identity, self.own.as_bytes(), navigation.as_bytes(), code.as_bytes()];
        // The style of pictures is the same for every reader.
        let [page, style] = [Tag::new(&parts), Tag::new(&[identity, b"style"])];
        let (tag, keeper) = match &ending {
            Ending::Page => (page.clone(), Keeper::Own),
            Ending::Style(version) if *version == style.short() => {
                (style.clone(), Keeper::OwnForGood)
            }
            Ending::Style(_) => (style.clone(), Keeper::Own),
        };
        if tag.is_known(asked) {
            return Ok(tag.unchanged(keeper));
        }
        let [page_key, style_key] = [page, style.clone()].map(|tag| tag.key());
        let key = tag.key();
        let drawing = move || {
            let drawn = self.draw(&record()?, navigation, &style.short())?;
            Ok::<_, RequestFailure>(vec![(page_key, drawn.html), (style_key, drawn.style)])
        };
        let text = app.drawings().text(&reader.person.id, &key, drawing).await?.to_string();
        Ok(match ending {
            Ending::Page => tag.on(Html(text), keeper),
            Ending::Style(_) => tag.on(([(CONTENT_TYPE, "text/css; charset=utf-8")], text), keeper),
        })
    }

    fn draw(
        self,
        record: &RoundRecord,
        head: String,
        style: &str,
    ) -> Result<LinkedPage, RequestFailure> {
        let RoundPage { frame, own, back, back_name, verify } = self;
        let language = frame.words.language;
        let links = Links {
            styles: vec![Assets::url("round.css"), format!("{own}.{style}.css")],
            script: Assets::url(match language {
                Language::English => "round.js",
                Language::Chinese => "round-zh.js",
            }),
            head,
            language: page_language(language),
        };
        let beside =
            Beside { file: format!("{own}.jsonl"), back, back_name: frame.words.t(back_name) };
        graded_rounds::page(record, &verify, beside, links).map_err(RequestFailure::internal)
    }
}

/// The requested part at a round's address.
enum Ending<'a> {
    Page,
    /// The style, with the version that the address names.
    Style(&'a str),
}

impl Ending<'_> {
    fn parse(ending: &str) -> Option<Ending<'_>> {
        match ending {
            "" => Some(Ending::Page),
            "css" => Some(Ending::Style("")),
            _ => ending.strip_suffix(".css").map(Ending::Style),
        }
    }
}
