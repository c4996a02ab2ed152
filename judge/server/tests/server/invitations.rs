//! Ways in and out: invitations, sessions, tokens.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, StatusCode};
use judge_server::config::Settings;
use judge_store::{NewInvitation, Role, Timestamp};

use crate::site::{SignedIn, Site, request};

async fn invited(site: &Site, holds: Duration) -> String {
    let now = Timestamp::now().before(Duration::from_secs(60));
    let expires_at = now.after(holds);
    let (course, role) = (Some(site.course.id.clone()), Role::Student);
    let new = NewInvitation { course, role, person: None, listed: None, expires_at };
    let (_, secret) = site.app.store().invite(&new, now).await.unwrap();
    secret.reveal().to_owned()
}

#[tokio::test]
async fn an_invitation_is_used_up_by_accepting_but_not_by_viewing() {
    let site = Site::new().await;
    let secret = invited(&site, Duration::from_secs(3600)).await;
    for _ in 0..3 {
        let page = site.get(None, &format!("/join/{secret}")).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.text().contains("Artificial &#60;i&#62;Play&#60;/i&#62;"), "{}", page.text());
    }
    let form = format!("token={secret}&name=Ada");
    let joined = site.post(None, "/join", &form).await;
    assert_eq!(joined.leads_to(), "/c/ai");
    let cookie = joined.header("set-cookie").to_owned();
    assert!(cookie.starts_with("session=") && cookie.contains("HttpOnly; SameSite=Strict"));
    let again = site.post(None, "/join", &form).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert!(again.header("set-cookie").is_empty());
    assert!(again.text().contains("was already used"), "{}", again.text());
}

#[tokio::test]
async fn expired_and_invented_invitations_are_refused() {
    let site = Site::new().await;
    let old = invited(&site, Duration::from_secs(1)).await;
    for (secret, told) in [(old.as_str(), "has expired"), ("abc", "no such invitation")] {
        for answer in [
            site.get(None, &format!("/join/{secret}")).await,
            site.post(None, "/join", &format!("token={secret}&name=Eve")).await,
        ] {
            assert_eq!(answer.status, StatusCode::CONFLICT);
            assert!(answer.text().contains(told), "{}", answer.text());
        }
    }
}

#[tokio::test]
async fn signing_out_ends_the_session() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    assert_eq!(site.get(Some(&ada), "/me").await.status, StatusCode::OK);
    let out = site.post(Some(&ada), "/sign-out", "").await;
    assert_eq!(out.leads_to(), "/");
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    let after = site.get(Some(&ada), "/me").await;
    assert_eq!(after.status, StatusCode::UNAUTHORIZED, "the cookie may be kept");
}

#[tokio::test]
async fn a_token_is_shown_once_and_can_be_revoked() {
    let site = Site::new().await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    let made = site.post(Some(&ada), "/me/tokens", "label=laptop").await;
    let text = made.text();
    let (_, rest) = text.split_once("<code>").unwrap();
    let token = rest.split_once("</code>").unwrap().0.to_owned();
    let program = SignedIn { token: token.clone(), ..ada.clone() };
    assert!(site.api(&program, "/api/v1/whoami").await.text().contains("\"Ada\""));
    let page = site.get(Some(&ada), "/me").await.text();
    assert!(page.contains("laptop") && !page.contains(&token), "never again");
    // The newest is the first in the list.
    let revoke = page.split("action=\"").find(|part| part.starts_with("/me/tokens/")).unwrap();
    let revoke = revoke.split('"').next().unwrap();
    assert_eq!(site.post(Some(&bob), revoke, "").await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.api(&program, "/api/v1/whoami").await.status, StatusCode::OK);
    assert_eq!(site.post(Some(&ada), revoke, "").await.leads_to(), "/me");
    assert_eq!(site.api(&program, "/api/v1/whoami").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn tokens_work_only_in_the_authorization_header() {
    let site = Site::new().await;
    let ada = site.join("Ada", Role::Student).await;
    let whoami = "/api/v1/whoami";
    assert_eq!(site.api(&ada, whoami).await.status, StatusCode::OK);
    // A token works neither in the address nor as a session; a session does not work as a token.
    let query = format!("{whoami}?token={0}&access_token={0}", ada.token);
    assert_eq!(site.get(None, &query).await.status, StatusCode::UNAUTHORIZED);
    let swapped =
        SignedIn { session: ada.token.clone(), token: ada.session.clone(), ..ada.clone() };
    assert_eq!(site.get(Some(&swapped), "/me").await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(site.api(&swapped, whoami).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(site.get(Some(&ada), whoami).await.status, StatusCode::UNAUTHORIZED);
    let forged = SignedIn { session: ada.session.replace('a', "b") + "x", ..ada.clone() };
    assert_eq!(site.get(Some(&forged), "/me").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn many_students_can_join_from_one_address() {
    // The default rate, which the other tests raise.
    let site = Site::with(Settings { rate: Some(50), ..Settings::default() }).await;
    for number in 0..300 {
        let secret = invited(&site, Duration::from_secs(3600)).await;
        let page = site.get(None, &format!("/join/{secret}")).await;
        assert_eq!(page.status, StatusCode::OK, "student {number}");
        let form = format!("token={secret}&name=Student+{number}");
        let joined = site.post(None, "/join", &form).await;
        assert_eq!(joined.leads_to(), "/c/ai", "student {number}");
        let cookie = joined.header("set-cookie").split(';').next().unwrap();
        let page = request(Method::GET, None, "/c/ai").header("cookie", cookie);
        let page = site.send(page.body(Body::empty()).unwrap()).await;
        assert_eq!(page.status, StatusCode::OK, "student {number}");
    }
}

#[tokio::test]
async fn an_address_is_blocked_after_a_hundred_unknown_links() {
    let site = Site::new().await;
    let secret = invited(&site, Duration::from_secs(3600)).await;
    for number in 0..50 {
        assert_eq!(site.get(None, &format!("/join/{secret}")).await.status, StatusCode::OK);
        let page = site.get(None, &format!("/join/guess{number}")).await;
        assert_eq!(page.status, StatusCode::CONFLICT);
        let form = format!("token=guess{number}&name=Eve");
        assert_eq!(site.post(None, "/join", &form).await.status, StatusCode::CONFLICT);
    }
    let refused = site.get(None, "/join/guess").await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.text());
}
