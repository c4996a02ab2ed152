//! The pages on which people play against reference opponents and check replays in the browser: the
//! files of `judge/browser`, with their HTML texts in the reader's language.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use include_dir::{Dir, include_dir};

use super::assets::SITE_STYLE;
use super::{Keeper, RequestFailure, Tag};
use crate::words::{Language, Words};

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../browser/page");

/// The section of the pages' texts.
const TEXTS: &[&str] = &["play."];

/// A tag of the files that a server leaves out: its forms need the origin.
pub(super) const NO_REFERRER: &str = "<meta name=\"referrer\" content=\"no-referrer\">\n";

/// HTML attributes with visible texts.
const READ: [&str; 3] = ["title=\"", "aria-label=\"", "placeholder=\""];

/// The files by name, each with a tag that changes with its bytes.
static FILES: LazyLock<BTreeMap<&str, (Vec<u8>, Tag)>> = LazyLock::new(|| {
    let pages = PAGES.files().filter_map(|file| Some((file.path().to_str()?, file.contents())));
    let pages = pages.filter(|(name, _)| !name.ends_with(".html"));
    let style = [judge_report::page::STYLE, SITE_STYLE].concat().into_bytes();
    let words = translations(Language::Chinese.words(), TEXTS);
    let words = serde_json::to_vec(&words).expect("texts");
    let module = judge_runner::suites::page::playing_module();
    let made = [("style.css", style), ("words-zh.json", words), ("judge-browser.wasm", module)];
    let all = pages.map(|(name, bytes)| (name, bytes.to_vec())).chain(made);
    all.map(|(name, bytes)| (name, (bytes.clone(), Tag::of_file(&bytes)))).collect()
});

/// `/play/{name}`: a file of these pages. Browsers revalidate each time, and get only changed
/// files.
pub async fn play_file(
    Path(name): Path<String>,
    asked: HeaderMap,
) -> Result<Response, RequestFailure> {
    let (bytes, tag) = FILES.get(name.as_str()).ok_or(RequestFailure::NotFound)?;
    let tag = tag.clone();
    match tag.is_known(&asked) {
        true => Ok(tag.unchanged(Keeper::Anybody)),
        false => Ok(tag.on(([(CONTENT_TYPE, kind(&name))], bytes.as_slice()), Keeper::Anybody)),
    }
}

pub(super) fn kind(name: &str) -> HeaderValue {
    HeaderValue::from_static(match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/wasm",
    })
}

/// One of these pages in a language, below the site's navigation, which is HTML. None for an
/// unknown name.
pub fn play_page(name: &str, words: &'static Words, navigation: &str) -> Option<String> {
    let page = PAGES.get_file(name)?.contents_utf8()?;
    let page = match words.language {
        Language::English => page.to_owned(),
        Language::Chinese => translated(page, &translations(words, TEXTS)),
    };
    let page = page.replacen(NO_REFERRER, "", 1);
    let head = format!("<html lang=\"{}\">", words.language.code());
    let page = page.replacen("<html lang=\"en\">", &head, 1);
    Some(page.replacen("<body>\n", &format!("<body>\n{navigation}\n"), 1))
}

/// The texts of these sections in a language, by their English text.
pub(super) fn translations(
    words: &'static Words,
    sections: &[&str],
) -> BTreeMap<&'static str, &'static str> {
    let english = Language::English.words();
    let is_in = |key: &&str| sections.iter().any(|section| key.starts_with(section));
    let keys = english.keys().filter(is_in);
    keys.map(|key| (english.t(key), words.t(key))).collect()
}

/// A page with its texts replaced: those between tags, and those in attributes.
pub(super) fn translated(page: &str, words: &BTreeMap<&str, &str>) -> String {
    let word = |text: &str| words.get(text).map_or_else(|| text.to_owned(), ToString::to_string);
    let mut parts = page.split('<');
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        let mut tag = tag.to_owned();
        for attribute in READ {
            let Some((before, rest)) = tag.split_once(attribute) else { continue };
            let Some((value, after)) = rest.split_once('"') else { continue };
            tag = format!("{before}{attribute}{}\"{after}", word(value));
        }
        let told = text.trim();
        let text = if told.is_empty() { text.to_owned() } else { text.replace(told, &word(told)) };
        made.extend(["<", &tag, ">", &text]);
    }
    made
}

/// The texts that a script uses by `t("…")`.
#[cfg(test)]
pub(super) fn used_texts(script: &str) -> Vec<&str> {
    let calls = script.match_indices("t(\"").filter(|(at, _)| {
        // Not the end of a longer name.
        !script[..*at].ends_with(|before: char| before.is_alphanumeric())
    });
    calls.filter_map(|(at, call)| script[at + call.len()..].split('"').next()).collect()
}

/// Visible texts of a page and of its attributes.
#[cfg(test)]
pub(super) fn visible(page: &str) -> Vec<&str> {
    let (_, body) = page.split_once("<title>").expect("a title");
    let parts = || body.split('<').filter_map(|part| part.split_once('>'));
    let texts = parts().map(|(_, text)| text.trim());
    let values = READ.iter().flat_map(|attribute| {
        parts().filter_map(move |(tag, _)| tag.split_once(attribute)?.1.split('"').next())
    });
    texts.chain(values).filter(|text| text.chars().any(|c| c.is_ascii_alphabetic())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_scripts_and_their_translations_match() {
        let english = Language::English.words();
        let known: Vec<&str> = english
            .keys()
            .filter(|key| key.starts_with(TEXTS[0]))
            .map(|key| english.t(key))
            .collect();
        let files: Vec<&str> = PAGES.files().filter_map(|file| file.contents_utf8()).collect();
        let said: Vec<&str> = files.iter().flat_map(|text| used_texts(text)).collect();
        assert!(said.len() > 30, "{said:?}");
        for text in said {
            assert!(known.contains(&text), "{text}");
        }
        let all = files.concat();
        for text in known {
            assert!(all.contains(text), "no page has {text}");
        }
    }

    #[test]
    fn a_chinese_page_has_no_english_text() {
        for name in ["play.html", "verify.html"] {
            let page = play_page(name, Language::Chinese.words(), "").expect("a page");
            assert!(page.contains("<html lang=\"zh\">"));
            let english = visible(&page);
            let kept = |text: &&str| !text.contains("Escape") && *text != "Enter";
            assert_eq!(english.into_iter().filter(kept).collect::<Vec<_>>(), [""; 0], "{name}");
        }
    }

    #[test]
    fn an_english_page_is_the_file_with_the_navigation() {
        let page =
            play_page("play.html", Language::English.words(), "<nav></nav>").expect("a page");
        let file = PAGES.get_file("play.html").and_then(|file| file.contents_utf8());
        let file = file.expect("text");
        assert!(file.contains(NO_REFERRER));
        assert_eq!(page.replace("<nav></nav>\n", ""), file.replace(NO_REFERRER, ""));
        assert!(play_page("other.html", Language::English.words(), "").is_none());
    }
}
