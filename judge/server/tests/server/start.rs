//! The page for beginners: public, with the repository's kits and with bots that can be submitted.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};
use std::path::Path;
use std::process::Command;

use axum::body::Body;
use axum::http::header::{ACCEPT_LANGUAGE, IF_NONE_MATCH};
use axum::http::{Method, StatusCode};
use judge_runner::bots;
use judge_runner::contest::ladder;
use judge_store::Role;
use zip::ZipArchive;

use crate::site::{Site, request};

/// The page's links below an address.
fn links(page: &str, below: &str) -> Vec<String> {
    let links = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut links: Vec<String> =
        links.filter(|link| link.starts_with(below)).map(str::to_owned).collect();
    links.sort();
    links.dedup();
    links
}

/// The files of a folder that belong to the repository, with their content.
fn tracked(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut git = Command::new("git");
    git.arg("-C").arg(&root).args(["ls-files", "-z", folder, "sdk/PROTOCOL.md"]);
    let listed = git.output().unwrap();
    assert!(listed.status.success(), "the tests are run in the repository");
    let names = String::from_utf8(listed.stdout).unwrap();
    let names = names.split('\0').filter(|name| !name.is_empty());
    names.map(|name| (name.to_owned(), std::fs::read(root.join(name)).unwrap())).collect()
}

#[tokio::test]
async fn the_kits_are_reproducible_archives_of_the_repository() {
    let site = Site::new().await;
    let page = site.get(None, "/start").await;
    assert_eq!(page.status, StatusCode::OK);
    let kits = links(&page.text(), "/start/kits/");
    assert_eq!(kits.len(), 7, "{kits:?}");
    for kit in kits {
        let answer = site.get(None, &kit).await;
        assert_eq!(answer.header("content-type"), "application/zip");
        assert!(answer.header("content-disposition").contains("judge-kit-"));
        let name = kit.rsplit('/').next().unwrap().strip_suffix(".zip").unwrap();
        let mut archive = ZipArchive::new(Cursor::new(&answer.body)).unwrap();
        let mut files = BTreeMap::new();
        let mut order = Vec::new();
        for at in 0..archive.len() {
            let mut file = archive.by_index(at).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            let name = file.name().unwrap().into_owned();
            let is_script = name.ends_with(".sh");
            assert_eq!(file.unix_mode().unwrap() & 0o777, if is_script { 0o755 } else { 0o644 });
            let time = file.last_modified().unwrap();
            assert_eq!((time.year(), time.month(), time.day(), time.hour()), (1980, 1, 1, 0));
            order.push(name.clone());
            files.insert(name, bytes);
        }
        assert_eq!(files, tracked(&format!("sdk/{name}")), "{name}");
        assert!(files.contains_key(&format!("sdk/{name}/README.md")));
        assert!(order.is_sorted_by(|one, other| Path::new(one) < Path::new(other)), "{order:?}");
        let asked = request(Method::GET, None, &kit).header(IF_NONE_MATCH, answer.header("etag"));
        let again = site.send(asked.body(Body::empty()).unwrap()).await;
        assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
    }
    assert_eq!(site.get(None, "/start/kits/fortran.zip").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_start_page_has_rules_and_a_working_bot_for_each_game() {
    let site = Site::new().await;
    let page = site.get(None, "/start").await.text();
    let modules = links(&page, "/start/bots/");
    let names: Vec<&str> = ladder::games().into_iter().map(|(name, _)| name).collect();
    assert_eq!(modules.len(), names.len());
    for name in names {
        assert!(page.contains(&format!("id=\"{name}\"")), "{name}");
        let rules = site.get(None, &format!("/start/rules/{name}.md")).await;
        assert!(rules.header("content-type").starts_with("text/plain"));
        assert!(rules.text().starts_with("# "), "{name}");
        let suite =
            judge_runner::suites::named(Path::new(name), &mut judge_core::IgnoreEvents).unwrap();
        let own = modules.iter().find(|module| module.contains(&format!("/{name}-"))).unwrap();
        let module = site.get(None, own).await.body;
        assert!(bots::offered("bot", module, &suite).refused.is_none(), "{own}");
    }
    assert!(site.get(None, "/start/rules/PROTOCOL.md").await.text().contains("protocol"));
    assert_eq!(site.get(None, "/start/rules/README.md").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_start_page_is_linked_and_in_both_languages() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let course = site.get(Some(&ada), "/c/ai").await.text();
    assert!(course.contains("href=\"/start?course=ai\""), "{course}");
    let suite = site.get(Some(&ada), "/c/ai/s/mahjong").await.text();
    assert!(suite.contains("href=\"/start?course=ai#mahjong\""), "{suite}");
    let page = site.get(Some(&ada), "/start?course=ai").await.text();
    assert!(
        page.contains("href=\"/c/ai\"") && page.contains("?game=mahjong&#38;course=ai"),
        "{page}"
    );
    assert!(!site.get(None, "/start?course=ai").await.text().contains("course=ai"));
    let asked = request(Method::GET, None, "/start").header(ACCEPT_LANGUAGE, "zh");
    let chinese = site.send(asked.body(Body::empty()).unwrap()).await.text();
    assert!(chinese.contains("工具包") && !chinese.contains("A bot is"), "{chinese}");
}
