//! Single sign-on with a real provider, `oidc-provider` on Node.js, which is started here. Skipped
//! with a message if either is missing.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::header::{COOKIE, HOST, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, Request, StatusCode};
use judge_server::config::Settings;
use judge_store::{NewInvitation, NewPerson, Role, Timestamp, TokenKind};
use tempfile::TempDir;

use crate::site::{HOSTNAME, PageReply, SignedIn, Site};

/// The provider's process, killed on drop.
struct Provider {
    child: Child,
    /// Kept open, because the provider may print more.
    _says: BufReader<ChildStdout>,
    issuer: String,
    secrets: TempDir,
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The folder that `npm install oidc-provider` has filled.
fn packages() -> Option<PathBuf> {
    let told = std::env::var_os("JUDGE_OIDC_PROVIDER").map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/judge/oidc-provider"));
    let folder = told.or_else(home)?;
    folder.join("node_modules/oidc-provider").is_dir().then_some(folder)
}

impl Provider {
    fn start() -> Option<Provider> {
        let skipped = "skipped: single sign-on needs `node` and `npm install oidc-provider@9.13.3` \
                       in ~/.cache/judge/oidc-provider";
        let Some(folder) = packages() else {
            println!("{skipped}");
            return None;
        };
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/provider.mjs");
        let mut command = Command::new("node");
        command.arg(script).arg(folder).arg(format!("http://{HOSTNAME}/sign-in/return"));
        let Ok(mut child) = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn() else {
            println!("{skipped}");
            return None;
        };
        let mut issuer = String::new();
        let mut says = BufReader::new(child.stdout.take().unwrap());
        says.read_line(&mut issuer).unwrap();
        let secrets = tempfile::tempdir().unwrap();
        std::fs::write(secrets.path().join("secret"), "secret-of-judge\n").unwrap();
        Some(Provider { child, _says: says, issuer: issuer.trim().to_owned(), secrets })
    }

    /// A server that trusts the provider.
    async fn site(&self, join: Option<&str>) -> Site {
        Site::with(Settings {
            public_url: Some(format!("http://{HOSTNAME}")),
            oidc_issuer: Some(self.issuer.clone()),
            oidc_name: Some("The School".to_owned()),
            oidc_client_id: Some("judge".to_owned()),
            oidc_secret_file: Some(self.secrets.path().join("secret")),
            oidc_join: join.map(str::to_owned),
            ..Settings::default()
        })
        .await
    }

    /// Sets the next account to sign in, and the manipulation of its token.
    async fn lets_in(&self, account: &str, mode: &str) {
        let url = format!("{}/control?account={account}&mode={mode}", self.issuer);
        let (status, ..) = visit(url, String::new()).await;
        assert_eq!(status, 200);
    }
}

/// Sends a browser's request; returns the status, the redirect, and the cookies that it sets.
async fn visit(url: String, cookies: String) -> (u16, Option<String>, Vec<String>) {
    let ask = move || {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .max_redirects(0)
            .http_status_as_error(false)
            .build()
            .into();
        let answer = agent.get(&url).header("cookie", &cookies).call().unwrap();
        let text = |value: &axum::http::HeaderValue| value.to_str().unwrap().to_owned();
        let location = answer.headers().get(LOCATION).map(text);
        let set = answer.headers().get_all(SET_COOKIE).iter().map(text);
        let set = set.map(|one| one.split(';').next().unwrap().to_owned()).collect();
        (answer.status().as_u16(), location, set)
    };
    tokio::task::spawn_blocking(ask).await.unwrap()
}

/// Follows the provider's redirects until it sends the browser back.
async fn through(provider: &Provider, url: &str) -> String {
    let (mut url, mut cookies) = (url.to_owned(), Vec::new());
    for _ in 0..6 {
        let (status, location, set) = visit(url.clone(), cookies.join("; ")).await;
        cookies.extend(set);
        let location = location.unwrap_or_else(|| panic!("{url}: {status}"));
        if location.starts_with(&format!("http://{HOSTNAME}/")) {
            return location;
        }
        url = match location.starts_with('/') {
            true => format!("{}{location}", provider.issuer),
            false => location,
        };
    }
    panic!("the provider leads around: {url}");
}

/// The first cookie with that name.
fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let set = headers.get_all(SET_COOKIE).iter().map(|value| value.to_str().unwrap());
    let start = format!("{name}=");
    let value = set.into_iter().find_map(|text| text.strip_prefix(&start))?;
    value.split(';').next().filter(|value| !value.is_empty()).map(str::to_owned)
}

/// Begins a sign-in; returns the provider's address, and the cookie to come back with.
async fn leave(site: &Site, who: Option<&SignedIn>) -> (String, String) {
    let door = if who.is_some() { "/me/sign-in" } else { "/sign-in" };
    let out = site.get(who, door).await;
    let ticket = cookie(&out.headers, "sign-in").unwrap();
    let set = out.header("set-cookie").to_owned();
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax"), "{set}");
    (out.leads_to().to_owned(), ticket)
}

/// Comes back from the provider.
async fn back(site: &Site, address: &str, ticket: &str) -> PageReply {
    let path = address.strip_prefix(&format!("http://{HOSTNAME}")).unwrap();
    let request = Request::get(path).header(HOST, HOSTNAME);
    let request = request.header(COOKIE, format!("sign-in={ticket}"));
    site.send(request.body(Body::empty()).unwrap()).await
}

/// Completes a sign-in.
async fn sign_in(provider: &Provider, site: &Site, who: Option<&SignedIn>) -> PageReply {
    let (url, ticket) = leave(site, who).await;
    let address = through(provider, &url).await;
    back(site, &address, &ticket).await
}

/// A person on a course's list.
async fn listed(site: &Site, name: &str) -> judge_store::PersonId {
    let (store, now) = (site.app.store(), Timestamp::now());
    let address = Some(format!("{name}@example.org"));
    let new = NewPerson { name: format!("Listed {name}"), address, ..NewPerson::default() };
    let person = store.add_person(&new, now).await.unwrap();
    store.join(&site.course.id, &person.id, Role::Student, now).await.unwrap();
    person.id
}

/// The first page of a session, which names its person.
async fn opens(site: &Site, session: &str) -> String {
    let request = Request::get("/").header(HOST, HOSTNAME);
    let request = request.header(COOKIE, format!("session={session}"));
    site.send(request.body(Body::empty()).unwrap()).await.text()
}

fn refused(answer: &PageReply, why: &str) {
    assert_eq!(answer.status, StatusCode::CONFLICT, "{why}: {}", answer.text());
    assert!(answer.text().contains(why), "{why}: {}", answer.text());
    assert_eq!(cookie(&answer.headers, "session"), None, "{why}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listed_person_signs_in_by_a_verified_address_and_is_linked() {
    let Some(provider) = Provider::start() else { return };
    let site = provider.site(None).await;
    let ada = listed(&site, "ada").await;
    assert!(site.get(None, "/").await.text().contains("Sign in with The School"));
    // The author of an invitation for her has opened it.
    let (store, now) = (site.app.store(), Timestamp::now());
    let end = now.after(std::time::Duration::from_secs(60));
    let others = store.new_token(&ada, TokenKind::Session, "browser", end, now).await.unwrap();
    let others = others.1.reveal().to_owned();
    assert!(opens(&site, &others).await.contains("Listed ada"));
    provider.lets_in("ada", "").await;
    let answer = sign_in(&provider, &site, None).await;
    assert!(!opens(&site, &others).await.contains("Listed ada"), "she has come herself");
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    assert!(answer.text().contains("http-equiv=\"refresh\""), "{}", answer.text());
    let session = cookie(&answer.headers, "session").unwrap();
    assert!(opens(&site, &session).await.contains("Listed ada"));
    let subject = site.app.store().person_by_identity(&provider.issuer, "ada").await.unwrap();
    assert_eq!(subject, Some(ada.clone()));

    // From then on, only the issuer's subject counts, not the address.
    provider.lets_in("ada-unverified", "").await;
    refused(&sign_in(&provider, &site, None).await, "has not verified your address");
    provider.lets_in("ada", "").await;
    let again = sign_in(&provider, &site, None).await;
    assert!(opens(&site, &cookie(&again.headers, "session").unwrap()).await.contains("Listed ada"));
    assert!(opens(&site, &session).await.contains("Listed ada"), "only the first time ends others");

    provider.lets_in("stranger", "").await;
    refused(&sign_in(&provider, &site, None).await, "no course here lists your address");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_answer_of_the_issuer_is_refused() {
    let Some(provider) = Provider::start() else { return };
    let site = provider.site(Some("ai")).await;
    listed(&site, "ada").await;
    for (mode, why) in [
        ("audience", "failed a security check"),
        ("issuer", "failed a security check"),
        ("key", "failed a security check"),
        ("expired", "took too long"),
    ] {
        provider.lets_in("ada", mode).await;
        refused(&sign_in(&provider, &site, None).await, why);
    }
    provider.lets_in("ada", "").await;

    let (url, ticket) = leave(&site, None).await;
    let parts: Vec<&str> = url.split('&').collect();
    assert!(parts.iter().any(|part| part.starts_with("code_challenge=")), "{url}");
    let other_nonce: Vec<&str> = parts
        .iter()
        .map(|part| if part.starts_with("nonce=") { "nonce=another" } else { part })
        .collect();
    let address = through(&provider, &other_nonce.join("&")).await;
    refused(&back(&site, &address, &ticket).await, "failed a security check");

    let (url, ticket) = leave(&site, None).await;
    let address = through(&provider, &url.replace("client_id=judge", "client_id=other")).await;
    refused(&back(&site, &address, &ticket).await, "did not confirm the sign-in");

    let (url, ticket) = leave(&site, None).await;
    let address = through(&provider, &url).await;
    let (_, other_ticket) = leave(&site, None).await;
    refused(&back(&site, &address, &other_ticket).await, "does not belong to a sign-in");
    let forged = address.replace("state=", "state=x");
    refused(&back(&site, &forged, &ticket).await, "does not belong to a sign-in");
    refused(&back(&site, &address, "").await, "took too long");
    refused(&back(&site, &address, &format!("{ticket}x")).await, "took too long");
    let answer = back(&site, &address, &ticket).await;
    assert_eq!(answer.status, StatusCode::OK, "the same without a fault: {}", answer.text());
    refused(&back(&site, &address, &ticket).await, "used before");
    let denied = format!("http://{HOSTNAME}/sign-in/return?error=access_denied");
    let (url, ticket) = leave(&site, None).await;
    let state = url.split('&').find_map(|part| part.strip_prefix("state=")).unwrap();
    refused(
        &back(&site, &format!("{denied}&state={state}"), &ticket).await,
        "did not confirm the sign-in",
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_people_can_join_only_courses_named_by_the_operator() {
    let Some(provider) = Provider::start() else { return };
    let site = provider.site(Some("ai")).await;
    provider.lets_in("new", "").await;
    let answer = sign_in(&provider, &site, None).await;
    let session = cookie(&answer.headers, "session").unwrap();
    let home = opens(&site, &session).await;
    assert!(home.contains("The new") && home.contains("href=\"/c/ai\""), "{home}");
    let person = site.app.store().person_by_address("new@example.org").await.unwrap().unwrap();
    let member = site.app.store().member(&site.course.id, &person.id).await.unwrap().unwrap();
    assert_eq!(member.role, Role::Student);
    provider.lets_in("eve-unverified", "").await;
    refused(&sign_in(&provider, &site, None).await, "has not verified your address");
    assert_eq!(site.app.store().person_by_address("eve@example.org").await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removed_member_does_not_come_back_by_unlinking() {
    let Some(provider) = Provider::start() else { return };
    let site = provider.site(Some("ai")).await;
    let store = site.app.store();
    provider.lets_in("mul", "").await;
    sign_in(&provider, &site, None).await;
    let mul = store.person_by_address("mul@example.org").await.unwrap().unwrap();
    assert!(store.leave(&site.course.id, &mul.id, None, Timestamp::now()).await.unwrap());
    let signed_in = site.signed_in(mul).await;
    site.post(Some(&signed_in), "/me/sign-in/unlink", "").await.leads_to();
    provider.lets_in("mul", "alias").await;
    refused(&sign_in(&provider, &site, None).await, "was linked to another account here");
    assert_eq!(store.person_by_address("mul@alias.example.org").await.unwrap(), None);
    // The account itself can be linked again.
    assert_eq!(sign_in(&provider, &site, Some(&signed_in)).await.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_is_linked_and_unlinked_on_the_profile_page() {
    let Some(provider) = Provider::start() else { return };
    let site = provider.site(None).await;
    let (ada, bob) = (site.join("Ada", Role::Student).await, site.join("Bob", Role::Student).await);
    provider.lets_in("somebody-unverified", "").await;
    let linked = sign_in(&provider, &site, Some(&ada)).await;
    assert_eq!(linked.status, StatusCode::OK, "{}", linked.text());
    let me = site.get(Some(&ada), "/me").await.text();
    assert!(me.contains("Linked with The School since"), "{me}");
    let session = cookie(&sign_in(&provider, &site, None).await.headers, "session").unwrap();
    assert!(opens(&site, &session).await.contains("<bdi>Ada</bdi>"));
    refused(&sign_in(&provider, &site, Some(&bob)).await, "is linked to another person");
    site.post(Some(&ada), "/me/sign-in/unlink", "").await.leads_to();
    assert!(site.get(Some(&ada), "/me").await.text().contains("Link with The School"));
    refused(&sign_in(&provider, &site, None).await, "has not verified your address");
    let nobody = site.get(None, "/me/sign-in").await;
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED, "linking needs a session");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_with_the_address_of_another_person_is_not_linked() {
    let Some(provider) = Provider::start() else { return };
    let site = provider.site(None).await;
    listed(&site, "ada").await;
    let mallory = site.join("Mallory", Role::Student).await;
    // At a shared computer, the issuer still lets in the person who used it before.
    provider.lets_in("ada", "").await;
    refused(&sign_in(&provider, &site, Some(&mallory)).await, "address of another person");
    let me = site.get(Some(&mallory), "/me").await.text();
    assert!(me.contains("Link with The School"), "{me}");
    let session = cookie(&sign_in(&provider, &site, None).await.headers, "session").unwrap();
    assert!(opens(&site, &session).await.contains("Listed ada"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_of_an_address_ends_access_prepared_by_others() {
    let Some(provider) = Provider::start() else { return };
    let site = provider.site(None).await;
    let ada = listed(&site, "ada").await;
    let (store, now) = (site.app.store(), Timestamp::now());
    let (course, role) = (Some(site.course.id.clone()), Role::Student);
    let expires_at = now.after(std::time::Duration::from_secs(60));
    let new = NewInvitation { course, role, person: Some(ada.clone()), listed: None, expires_at };
    let (_, link) = store.invite(&new, now).await.unwrap();
    let open = async || site.post(None, "/join", &format!("token={}", link.reveal())).await;

    // Mallory has opened a link of hers, and links another account at the issuer.
    let person = store.person(&ada).await.unwrap().unwrap();
    let mallory = site.signed_in(person.clone()).await;
    provider.lets_in("mallory-unverified", "").await;
    assert_eq!(sign_in(&provider, &site, Some(&mallory)).await.status, StatusCode::OK);
    let answer = sign_in(&provider, &site, None).await;
    let session = cookie(&answer.headers, "session").unwrap();
    assert!(opens(&site, &session).await.contains("Listed ada"));

    provider.lets_in("ada", "").await;
    let own = cookie(&sign_in(&provider, &site, None).await.headers, "session").unwrap();
    assert!(opens(&site, &own).await.contains("Listed ada"));
    for ended in [&session, &mallory.session] {
        assert!(!opens(&site, ended).await.contains("Listed ada"));
    }
    refused(&open().await, "does not sign in");
    provider.lets_in("mallory-unverified", "").await;
    refused(&sign_in(&provider, &site, None).await, "has not verified your address");

    // A session that ends while its owner is at the issuer links nothing.
    let bob = site.join("Bob", Role::Student).await;
    let (url, ticket) = leave(&site, Some(&bob)).await;
    let address = through(&provider, &url).await;
    store.sign_out_everywhere(&bob.person.id, None, Timestamp::now()).await.unwrap();
    refused(&back(&site, &address, &ticket).await, "took too long");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_issuer_that_does_not_answer_gives_an_error_page() {
    let secrets = tempfile::tempdir().unwrap();
    std::fs::write(secrets.path().join("secret"), "x").unwrap();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let site = Site::with(Settings {
        public_url: Some(format!("http://{HOSTNAME}")),
        oidc_issuer: Some(format!("http://{closed}")),
        oidc_client_id: Some("judge".to_owned()),
        oidc_secret_file: Some(secrets.path().join("secret")),
        ..Settings::default()
    })
    .await;
    refused(&site.get(None, "/sign-in").await, "does not answer");
    let without = Site::new().await;
    for address in ["/sign-in", "/sign-in/return?code=x&state=y"] {
        assert_eq!(without.get(None, address).await.status, StatusCode::NOT_FOUND, "{address}");
    }
    assert!(!without.get(None, "/").await.text().contains("/sign-in"));
}

/// An issuer that serves only its metadata, and counts the requests for it.
fn talker() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let (asked, own) = (Arc::new(AtomicUsize::new(0)), issuer.clone());
    let counted = Arc::clone(&asked);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut line = String::new();
            let mut lines = BufReader::new(stream.try_clone().unwrap());
            lines.read_line(&mut line).unwrap();
            let mut rest = String::new();
            while lines.read_line(&mut rest).unwrap() > 2 {
                rest.clear();
            }
            let body = if line.contains("/.well-known/openid-configuration") {
                counted.fetch_add(1, Ordering::SeqCst);
                format!(
                    r#"{{"issuer":"{own}","authorization_endpoint":"{own}/auth",
                    "token_endpoint":"{own}/token","jwks_uri":"{own}/keys",
                    "response_types_supported":["code"],"subject_types_supported":["public"],
                    "id_token_signing_alg_values_supported":["RS256"]}}"#
                )
            } else {
                r#"{"keys":[]}"#.to_owned()
            };
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
            let answer = format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    (issuer, asked)
}

#[tokio::test]
async fn the_settings_of_the_issuer_are_cached() {
    let (issuer, asked) = talker();
    let secrets = tempfile::tempdir().unwrap();
    std::fs::write(secrets.path().join("secret"), "secret\n").unwrap();
    let site = Site::with(Settings {
        public_url: Some(format!("http://{HOSTNAME}")),
        oidc_issuer: Some(issuer.clone()),
        oidc_client_id: Some("judge".to_owned()),
        oidc_secret_file: Some(secrets.path().join("secret")),
        ..Settings::default()
    })
    .await;
    let mut states = Vec::new();
    for _ in 0..3 {
        let (url, ticket) = leave(&site, None).await;
        assert!(url.starts_with(&format!("{issuer}/auth?")), "{url}");
        states.push((url, ticket));
    }
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    states.dedup();
    assert_eq!(states.len(), 3, "each sign-in is separate");
}
