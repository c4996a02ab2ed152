//! Hostile requests: too large, compressed, invalid, too many, and texts with markup.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{Method, Request, StatusCode};
use judge_server::config::Settings;
use judge_store::{Role, SuiteSettings};

use crate::site::{HOSTNAME, SignedIn, Site, bot, form, request};

const SUBMISSIONS: &str = "/c/ai/s/mahjong/submissions";

async fn upload(site: &Site, who: &SignedIn, body: Vec<u8>, packed: bool) -> StatusCode {
    let mut request = request(Method::POST, Some(who), SUBMISSIONS)
        .header(ORIGIN, format!("http://{HOSTNAME}"))
        .header(CONTENT_TYPE, "multipart/form-data; boundary=line");
    if packed {
        request = request.header("content-encoding", "gzip");
    }
    site.send(request.body(Body::from(body)).unwrap()).await.status
}

#[tokio::test]
async fn large_and_compressed_bodies_are_refused() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let large = form("x.wasm", &vec![0; (4 << 20) + 1]);
    assert_eq!(upload(&site, &ada, large, false).await, StatusCode::PAYLOAD_TOO_LARGE);
    let huge = form("x.wasm", &vec![0; 5 << 20]);
    assert_eq!(upload(&site, &ada, huge, false).await, StatusCode::PAYLOAD_TOO_LARGE);
    let good = form("x.wasm", &bot("mahjong-distance"));
    assert_eq!(upload(&site, &ada, good, true).await, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let part = "--line\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n";
    let parts = part.repeat(10_000).into_bytes();
    assert_eq!(upload(&site, &ada, parts, false).await, StatusCode::BAD_REQUEST);
    let form = "name=".to_owned() + &"x".repeat(100_000);
    let answer = site.post(Some(&ada), "/me/tokens", &form).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    let request = Request::post("/api/v1/courses/ai/suites/mahjong/submissions")
        .header(HOST, HOSTNAME)
        .header("authorization", format!("Bearer {}", ada.token));
    let answer = site.send(request.body(Body::from(vec![0; (4 << 20) + 1])).unwrap()).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(answer.text().contains("\"error\":\"too_large\""), "{}", answer.text());
}

#[tokio::test]
async fn a_file_that_is_not_a_module_is_refused_and_not_stored() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let archive = site.submit(&ada, "bot.zip", b"PK\x03\x04../../x").await;
    assert_eq!(archive.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert!(archive.text().contains("role=\"alert\""), "{}", archive.text());
    let cut = &bot("mahjong-distance")[..5000];
    let cut = site.submit(&ada, "bot.wasm", cut).await;
    assert_eq!(cut.status, StatusCode::UNPROCESSABLE_ENTITY);
    let source = site.submit(&ada, "brain.cpp", b"#include <set>").await.text();
    assert!(source.contains("looks like a text file<br>submit the linked"), "{source}");
    let other = site.submit(&ada, "bot.wasm", &bot("cc-runner")).await;
    assert_eq!(other.status, StatusCode::UNPROCESSABLE_ENTITY);
    let told = "the module plays cc, but this suite is for mahjong<br>submit it";
    assert!(other.text().contains(told), "{}", other.text());
    let page = site.get(Some(&ada), "/c/ai/s/mahjong").await.text();
    assert!(!page.contains("href=\"/submissions/"), "nothing was submitted: {page}");
}

#[tokio::test]
async fn texts_of_other_users_are_escaped() {
    let site = Site::new().await;
    let attack = "<script>alert(1)</script>\" onerror=\"x";
    let ada = site.join(attack, Role::Student).await;
    let teacher = site.join("Tess", Role::Instructor).await;
    let file = "<img src=x onerror=alert(1)>.wasm";
    let page = site.submit(&ada, file, &bot("mahjong-distance")).await.leads_to().to_owned();
    let scoreboard =
        format!("course=ai&pseudonym={}&real=yes", "%3Cscript%3Ealert(1)%3C/script%3E");
    site.post(Some(&ada), "/me/scoreboard", &scoreboard).await;
    let pages = [
        (&ada, "/"),
        (&ada, "/me"),
        (&ada, "/c/ai"),
        (&ada, "/c/ai/s/mahjong"),
        (&ada, page.as_str()),
        (&teacher, page.as_str()),
        (&teacher, "/c/ai/manage"),
        (&teacher, "/c/ai/manage/people"),
        (&teacher, "/c/ai/manage/s/mahjong/submissions"),
        (&teacher, "/c/ai/s/mahjong/scoreboard?name=%3Cscript%3Ealert(1)%3C/script%3E"),
    ];
    for (who, address) in pages {
        let answer = site.get(Some(who), address).await;
        assert_eq!(answer.status, StatusCode::OK, "{address}");
        let text = answer.text();
        for markup in ["<script>", "<img", "\" onerror", "<i>Play"] {
            assert!(!text.contains(markup), "{address}: {markup}: {text}");
        }
    }
}

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    for address in ["/", "/me", "/c/ai", "/nothing", "/healthz", "/assets/x/style.css", "/api/v1/x"]
    {
        let answer = site.get(Some(&ada), address).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';"));
        assert!(!policy.contains("unsafe-inline") && policy.contains("frame-ancestors 'none'"));
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{address}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{address}");
        let kept = answer.header("cache-control").contains("immutable");
        assert_eq!(kept, address.starts_with("/assets/"), "{address}");
        for inline in ["<style", "style=\"", "<script>", " onclick"] {
            assert!(!answer.text().contains(inline), "{address}: {inline}");
        }
    }
}

#[tokio::test]
async fn hostile_texts_in_addresses_are_not_found() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    for text in
        ["'%20OR%201=1--", "..%2f..%2fetc%2fpasswd", "%252e%252e", "a%00b", "%5c..%5cx", "x%27%3B"]
    {
        for address in [
            format!("/c/{text}"),
            format!("/c/ai/s/{text}"),
            format!("/submissions/{text}"),
            format!("/submissions/{text}/rounds/0/1"),
            format!("/c/ai/people/{text}"),
            format!("/assets/{text}/{text}"),
            format!("/join/{text}"),
        ] {
            let status = site.get(Some(&ada), &address).await.status;
            let fine = [StatusCode::NOT_FOUND, StatusCode::BAD_REQUEST, StatusCode::CONFLICT];
            assert!(fine.contains(&status), "{address}: {status}");
        }
        let scoreboard = site
            .get(Some(&ada), &format!("/c/ai/s/mahjong/scoreboard?name={text}&page=9999"))
            .await;
        assert_eq!(scoreboard.status, StatusCode::OK, "{text}");
    }
}

#[tokio::test]
async fn frequent_requests_are_limited() {
    let site = Site::with(Settings { rate: Some(1), ..Settings::default() }).await;
    let mut statuses = Vec::new();
    for _ in 0..15 {
        statuses.push(site.get(None, "/").await.status);
    }
    assert_eq!(statuses[0], StatusCode::OK);
    assert!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS), "{statuses:?}");
    assert_eq!(site.get(None, "/healthz").await.status, StatusCode::OK, "machines still see it");
}

#[tokio::test]
async fn a_truncated_module_is_refused_with_a_hint() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let whole = bot("mahjong-distance");
    let page = site.submit(&ada, "bot.wasm", &whole[..5000]).await.text();
    assert!(page.contains("the file ends early") && page.contains("download it again"), "{page}");
    let told = site.upload(&ada, "bot.wasm", &whole[..whole.len() - 1]).await;
    assert_eq!(told.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(told.text().contains("build the bot again"), "{}", told.text());
    site.post(Some(&ada), "/me/language", "language=zh").await;
    let page = site.submit(&ada, "bot.wasm", &whole[..5000]).await.text();
    assert!(page.contains("文件不完整") && page.contains("重新下载"), "{page}");
}

#[tokio::test]
async fn submitting_the_same_module_again_leads_to_its_result() {
    let site = Site::new().await;
    let attempts_per_day = Some(2);
    site.set(SuiteSettings { attempts_per_day, ..SuiteSettings::default() }).await;
    let ada = site.join("Ada", Role::Student).await;
    let module = bot("mahjong-distance");
    let first = site.submit(&ada, "bot.wasm", &module).await.leads_to().to_owned();
    let again = site.submit(&ada, "other.wasm", &module).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    let text = again.text();
    assert!(text.contains("already submitted this module") && text.contains("waiting"), "{text}");
    assert!(text.contains(&format!("href=\"{first}\"")) && text.contains("No attempt"), "{text}");
    assert!(text.contains("left today: 1"), "one attempt is left: {text}");
    let told = site.upload(&ada, "bot.wasm", &module).await;
    assert_eq!(told.status, StatusCode::OK);
    let told: serde_json::Value = serde_json::from_slice(&told.body).unwrap();
    assert_eq!(format!("/submissions/{}", told["id"].as_str().unwrap()), first);
    // Another person's submission is private.
    let bob = site.join("Bob", Role::Student).await;
    assert_eq!(site.upload(&bob, "bot.wasm", &module).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn stored_modules_of_a_person_have_a_bound() {
    let site = Site::with(Settings { person_mib: Some(4), ..Settings::default() }).await;
    let ada = site.join("Ada", Role::Student).await;
    // A custom section that is never read.
    let padded = |number: u8| {
        let mut module = bot("mahjong-straightforward");
        let size = 3 << 20;
        module.extend([0, 0x81 | (size & 0x7f) as u8, ((size >> 7) & 0x7f) as u8 | 0x80]);
        module.extend([((size >> 14) & 0x7f) as u8 | 0x80, (size >> 21) as u8, 0]);
        module.resize(module.len() + size, number);
        module
    };
    let first = site.upload(&ada, "one.wasm", &padded(1)).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.text());
    let refused = site.upload(&ada, "two.wasm", &padded(2)).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.text().contains("\"too_much_stored\""), "{}", refused.text());
    assert!(refused.text().contains("take 4 MiB in all"), "{}", refused.text());
    let small = site.upload(&ada, "three.wasm", &bot("mahjong-distance")).await;
    assert_eq!(small.status, StatusCode::CREATED, "{}", small.text());
}
