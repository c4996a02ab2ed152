//! The page on which a student writes, grades and submits a bot in the browser: the files of the
//! static site, with a suite of a course.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::assets::SITE_STYLE;
use super::play::{NO_REFERRER, kind, translated, translations};
use super::{Keeper, RequestFailure, Tag};
use crate::words::{Language, Words};

/// The page among the site's files.
const PAGE: &str = "index.html";

/// The sections of its texts.
const TEXTS: &[&str] = &["play.", "verdict.", "write."];

/// A file of the page.
struct PageFile {
    bytes: Vec<u8>,
    /// The same bytes, compressed.
    gzip: Vec<u8>,
    tag: Tag,
}

/// The files by name. The module of the judge is large, so all are compressed once.
static FILES: LazyLock<BTreeMap<String, PageFile>> = LazyLock::new(|| {
    let mut files = judge_runner::suites::page::pages();
    for (_, style) in files.iter_mut().filter(|(name, _)| name == "style.css") {
        style.extend_from_slice(SITE_STYLE.as_bytes());
    }
    let words = translations(Language::Chinese.words(), TEXTS);
    let words = serde_json::to_vec(&words).expect("texts");
    files.push(("words-zh.json".to_owned(), words));
    let file = |bytes: Vec<u8>| PageFile { gzip: gzip(&bytes), tag: Tag::of_file(&bytes), bytes };
    files.into_iter().map(|(name, bytes)| (name, file(bytes))).collect()
});

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    let packed = packed.write_all(bytes).and_then(|()| packed.finish());
    packed.expect("memory takes all bytes")
}

/// `/write/{name}`: a file of the page. Browsers revalidate each time, and get only changed files.
pub async fn write_file(
    Path(name): Path<String>,
    asked: HeaderMap,
) -> Result<Response, RequestFailure> {
    let file = FILES.get(&name).filter(|_| !name.ends_with(".html"));
    let PageFile { bytes, gzip, tag } = file.ok_or(RequestFailure::NotFound)?;
    if tag.is_known(&asked) {
        return Ok(tag.clone().unchanged(Keeper::Anybody));
    }
    let takes = asked.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let answer = match takes.is_some_and(|codings| codings.contains("gzip")) {
        true => {
            let coding = (CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            ([(CONTENT_TYPE, kind(&name)), coding], gzip.as_slice()).into_response()
        }
        false => ([(CONTENT_TYPE, kind(&name))], bytes.as_slice()).into_response(),
    };
    let mut answer = tag.clone().on(answer, Keeper::Anybody);
    answer.headers_mut().insert(VARY, HeaderValue::from(ACCEPT_ENCODING));
    Ok(answer)
}

/// Addresses and ids for the page of a suite. All are of this server, without
/// characters that HTML escapes.
pub struct WriteAddresses {
    /// The address of the suite's data.
    pub site: String,
    /// The address that takes submissions; none if the reader may not submit.
    pub submit: Option<String>,
    /// A prefix of the drafts in the browser: of the course and the person.
    pub drafts: String,
}

/// The page with these addresses in a language, below the site's navigation, which is HTML.
pub fn write_page(addresses: &WriteAddresses, words: &'static Words, navigation: &str) -> String {
    let page = FILES.get(PAGE).map_or("", |file| std::str::from_utf8(&file.bytes).unwrap_or(""));
    let mut page = match words.language {
        Language::English => page.to_owned(),
        Language::Chinese => translated(page, &translations(words, TEXTS)),
    };
    let head = format!("<html lang=\"{}\">", words.language.code());
    page = page.replacen("<html lang=\"en\">", &head, 1);
    for name in FILES.keys() {
        let folder = if name.ends_with(".html") { "play" } else { "write" };
        for attribute in ["href", "src"] {
            let own = format!("{attribute}=\"{name}\"");
            page = page.replace(&own, &format!("{attribute}=\"/{folder}/{name}\""));
        }
    }
    let WriteAddresses { site, submit, drafts } = addresses;
    let submit = submit.iter().map(|address| format!(" data-submit=\"{address}\""));
    let submit: String = submit.collect();
    // With it browsers name no origin with a form, and the server refuses to sign out.
    let page = page.replacen(NO_REFERRER, "", 1);
    let body =
        format!("<body data-site=\"{site}\"{submit} data-drafts=\"{drafts}\">\n{navigation}\n");
    page.replacen("<body>\n", &body, 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::play::{used_texts, visible};
    use super::*;

    #[test]
    fn the_page_loads_its_files_from_this_server() {
        let addresses = WriteAddresses {
            site: "/c/a/s/b/write.json".to_owned(),
            submit: Some("/c/a/s/b/submissions".to_owned()),
            drafts: "a/1/".to_owned(),
        };
        let words = Language::English.words();
        let page = write_page(&addresses, words, "<nav></nav>");
        assert!(page.contains("<body data-site=\"/c/a/s/b/write.json\" data-submit="), "{page}");
        for part in page.split(" href=\"").chain(page.split(" src=\"")).skip(1) {
            let address = part.split('"').next().unwrap_or_default();
            let known = address.strip_prefix("/write/").is_none_or(|name| FILES.contains_key(name));
            assert!(known && (address.starts_with('/') || address.contains('<')), "{address}");
        }
        let closed = WriteAddresses { submit: None, ..addresses };
        assert!(!write_page(&closed, words, "").contains("data-submit"));
    }

    #[test]
    fn the_page_for_writing_has_its_texts_in_every_language() {
        let known = translations(Language::Chinese.words(), TEXTS);
        let mut used = BTreeSet::new();
        for (name, file) in FILES.iter().filter(|(name, _)| name.ends_with(".js")) {
            // The editor has its own words.
            if name != "codemirror.js" {
                used.extend(used_texts(std::str::from_utf8(&file.bytes).expect("text")));
            }
        }
        let page = std::str::from_utf8(&FILES[PAGE].bytes).expect("text");
        used.extend(visible(page));
        let missing: Vec<&&str> = used.iter().filter(|text| !known.contains_key(**text)).collect();
        assert_eq!(missing, [&""; 0]);
        for text in translations(Language::English.words(), &["write."]).keys() {
            assert!(used.contains(text), "no page has {text}");
        }
    }
}
