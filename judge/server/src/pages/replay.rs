//! What replays have in common, wherever their rounds come from: a page, the style of its pictures,
//! and a file.

use std::fmt::Display;

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName};
use axum::response::{Html, Response};
use judge_core::MatchRecord;
use judge_runner::graded_rounds::{self, Beside, LinkedPage, Links};

use crate::retold::tongue;
use crate::web::{Assets, Failure, Frame, Keeper, Tag};
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
    pub(super) frame: Frame,
    /// The page's own address.
    pub(super) own: String,
    /// Address of the page that leads here.
    pub(super) back: String,
    /// The name of that page: the key of a text.
    pub(super) back_name: &'static str,
    /// The command that verifies the round's file.
    pub(super) verify: String,
}

impl RoundPage {
    /// Answers with the page, or with the style of its pictures where the address ends in `css`. A
    /// browser that has it is told so, and nothing is drawn: `identity` changes with the round.
    pub(super) async fn answer(
        self,
        asked: &HeaderMap,
        ending: &str,
        identity: &[u8],
        record: impl FnOnce() -> Result<MatchRecord, Failure> + Send + 'static,
    ) -> Result<Response, Failure> {
        let ending = Ending::of(ending).ok_or(Failure::NotFound)?;
        let navigation = self.frame.navigation()?;
        let code = self.frame.words.language.code();
        let kind = [ending as u8];
        let parts = [identity, self.own.as_bytes(), navigation.as_bytes(), code.as_bytes(), &kind];
        let tag = Tag::of(&parts);
        if tag.is_known(asked) {
            return Ok(tag.unchanged(Keeper::Own));
        }
        let drawing = move || self.draw(&record()?, navigation);
        let drawn = tokio::task::spawn_blocking(drawing).await.map_err(Failure::internal)??;
        Ok(match ending {
            Ending::Page => tag.on(Html(drawn.html), Keeper::Own),
            Ending::Style => {
                tag.on(([(CONTENT_TYPE, "text/css; charset=utf-8")], drawn.style), Keeper::Own)
            }
        })
    }

    fn draw(self, record: &MatchRecord, head: String) -> Result<LinkedPage, Failure> {
        let RoundPage { frame, own, back, back_name, verify } = self;
        let language = frame.words.language;
        let links = Links {
            styles: vec![Assets::url("round.css"), format!("{own}.css")],
            script: Assets::url(match language {
                Language::English => "round.js",
                Language::Chinese => "round-zh.js",
            }),
            head,
            tongue: tongue(language),
        };
        let beside =
            Beside { file: format!("{own}.jsonl"), back, back_name: frame.words.t(back_name) };
        graded_rounds::page(record, &verify, beside, links).map_err(Failure::internal)
    }
}

/// What is asked for at a round's address.
#[derive(Clone, Copy)]
enum Ending {
    Page,
    Style,
}

impl Ending {
    fn of(ending: &str) -> Option<Ending> {
        match ending {
            "" => Some(Ending::Page),
            "css" => Some(Ending::Style),
            _ => None,
        }
    }
}
