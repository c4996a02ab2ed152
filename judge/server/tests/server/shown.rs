//! Feeds of a person's own results, and badges for others.

use axum::body::Body;
use axum::http::header::IF_NONE_MATCH;
use axum::http::{Method, StatusCode};
use judge_store::{HiddenShown, Role, ScoreboardMode, SuiteSettings, Timestamp};

use crate::site::{SignedIn, Site, request};

const OWN: &str = "/api/v1/feed.atom";
const COURSE: &str = "/api/v1/courses/ai/feed.atom";

#[tokio::test]
async fn a_feed_has_the_readers_results_and_needs_a_token_or_session() {
    let site = Site::new().await;
    let ada = site.join("Ada <i>", Role::Student).await;
    let bob = site.join("Bob", Role::Student).await;
    let id = site.result_of(&ada, 13).await;
    let by_token = site.api(&ada, OWN).await;
    assert_eq!(by_token.status, StatusCode::OK, "{}", by_token.text());
    assert!(by_token.header("content-type").starts_with("application/atom+xml"));
    let text = by_token.text();
    assert!(text.contains("13 of 20 points.") && text.contains(&id), "{text}");
    assert_eq!(site.get(Some(&ada), OWN).await.text(), text, "the same by session");
    assert_eq!(site.get(None, OWN).await.status, StatusCode::UNAUTHORIZED);
    let token = format!("{OWN}?token={}&access_token={}", ada.token, ada.token);
    assert_eq!(site.get(None, &token).await.status, StatusCode::UNAUTHORIZED, "no secret there");
    assert!(!site.api(&bob, OWN).await.text().contains("<entry>"), "nothing of Ada's");
    let course = site.api(&bob, COURSE).await.text();
    assert!(course.contains("13 of 20 points. Rank 1."), "{course}");
    assert!(!course.contains(&id) && !course.contains("Ada"), "{course}");
    site.app.store().leave(&site.course.id, &bob.person.id, None, Timestamp::now()).await.unwrap();
    assert_eq!(site.api(&bob, COURSE).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn feeds_show_only_visible_results() {
    let site = Site::new().await;
    let settings = SuiteSettings { shown_per_day: Some(1), ..SuiteSettings::default() };
    site.set(settings).await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    site.result_of(&ada, 13).await;
    site.result_of(&ada, 17).await;
    let own = site.api(&ada, OWN).await.text();
    assert!(own.contains("The result will be shown at") && own.contains("13 of 20"), "{own}");
    for (who, address) in [(&ada, OWN), (&ada, COURSE), (&bob, COURSE)] {
        let text = site.api(who, address).await.text();
        assert!(!text.contains("17 of 20"), "{address}: {text}");
    }
    let hidden_shown = HiddenShown::AfterDue;
    site.set(SuiteSettings { hidden_shown, ..SuiteSettings::default() }).await;
    for (who, address) in [(&ada, OWN), (&bob, COURSE)] {
        let text = site.api(who, address).await.text();
        assert!(text.contains("10 of 10") && !text.contains("17 of 20"), "{address}: {text}");
    }
    let scoreboard = ScoreboardMode::Hidden;
    site.set(SuiteSettings { scoreboard, ..SuiteSettings::default() }).await;
    assert!(!site.api(&bob, COURSE).await.text().contains("<entry>"));
    let scoreboard = ScoreboardMode::Ahead;
    site.set(SuiteSettings { scoreboard, ..SuiteSettings::default() }).await;
    assert!(!site.api(&bob, COURSE).await.text().contains("<entry>"), "Bob has no place");
}

/// The address of a person's badge, from their page.
async fn badge(site: &Site, who: &SignedIn) -> Option<String> {
    let page = site.get(Some(who), "/c/ai/s/mahjong").await.text();
    let at = page.find("<img src=\"/badge/")?;
    page[at..].split('"').nth(1).map(str::to_owned)
}

#[tokio::test]
async fn a_badge_shows_the_chosen_parts_until_it_is_switched_off() {
    let site = Site::new().await;
    let (ada, teacher) =
        (site.join("Ada", Role::Student).await, site.join("Tess", Role::Instructor).await);
    site.result_of(&ada, 13).await;
    site.post(Some(&ada), "/me/scoreboard", "course=ai&pseudonym=%3Cscript%3EStar&real=yes").await;
    assert_eq!(badge(&site, &ada).await, None, "off by default");
    let address = "/c/ai/s/mahjong/badge";
    assert_eq!(
        site.post(Some(&teacher), address, "points=yes").await.status,
        StatusCode::FORBIDDEN
    );
    site.post(Some(&ada), address, "points=yes").await.leads_to();
    let place = badge(&site, &ada).await.unwrap();
    let shown = site.get(None, &place).await;
    assert_eq!(shown.status, StatusCode::OK);
    assert_eq!(shown.header("content-type"), "image/svg+xml; charset=utf-8");
    assert_eq!(shown.header("cache-control"), "public, max-age=300");
    assert_eq!(shown.header("cross-origin-resource-policy"), "cross-origin");
    assert!(shown.header("content-security-policy").starts_with("default-src 'none'"));
    let asked = request(Method::GET, None, &place).header(IF_NONE_MATCH, shown.header("etag"));
    let again = site.send(asked.body(Body::empty()).unwrap()).await;
    assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!(again.header("cache-control"), "public, max-age=300");
    let text = shown.text();
    assert!(text.contains("13/20") && !text.contains('★'), "{text}");
    for secret in ["#1\"", "Star", "Ada", "<script", "style="] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    site.post(Some(&ada), address, "rank=yes&name=yes").await.leads_to();
    let other = site.get(None, &place).await;
    assert_ne!(other.header("etag"), shown.header("etag"));
    let text = other.text();
    assert!(text.contains("#1") && text.contains("Star") && !text.contains("13/20"), "{text}");
    assert!(!text.contains("<script") && !text.contains("Ada"), "a pseudonym, escaped: {text}");

    site.set(SuiteSettings { scoreboard: ScoreboardMode::Hidden, ..SuiteSettings::default() })
        .await;
    site.post(Some(&ada), address, "points=yes&rank=yes").await.leads_to();
    let text = site.get(None, &place).await.text();
    assert!(!text.contains("13/20") && !text.contains("#1<"), "a hidden board: {text}");
    site.set(SuiteSettings::default()).await;
    site.set(SuiteSettings { shown_per_day: Some(1), ..SuiteSettings::default() }).await;
    site.result_of(&ada, 17).await;
    assert!(site.get(None, &place).await.text().contains("13/20"), "the result that is released");

    site.post(Some(&ada), address, "off=yes").await.leads_to();
    assert_eq!(site.get(None, &place).await.status, StatusCode::NOT_FOUND);
    site.post(Some(&ada), address, "points=yes").await.leads_to();
    assert_eq!(site.get(None, &place).await.status, StatusCode::NOT_FOUND, "never again");
    assert_ne!(badge(&site, &ada).await.unwrap(), place);
    for wrong in ["/badge/x.svg", "/badge/aaaaaaaaaaaaaaaa.svg", "/badge/aaaaaaaaaaaaaaaa"] {
        assert_eq!(site.get(None, wrong).await.status, StatusCode::NOT_FOUND, "{wrong}");
    }
}
