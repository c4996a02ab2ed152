//! Requests for reviews, answers and adjusted points: pages, API, rights by role, and hostile texts.

use axum::http::StatusCode;
use judge_store::{GroupMove, HiddenShown, Role, Scope, Showing, SuiteSettings, Timestamp};
use serde_json::{Value, json};

use crate::ladder::{ask, tell};
use crate::retention::unpacked;
use crate::site::{PageReply, SignedIn, Site};

const NOT_FOUND: StatusCode = StatusCode::NOT_FOUND;
const FORBIDDEN: StatusCode = StatusCode::FORBIDDEN;

/// A course with a graded submission of Ada, and a person in each role.
struct ReviewSite {
    site: Site,
    ada: SignedIn,
    bob: SignedIn,
    olga: SignedIn,
    alan: SignedIn,
    tess: SignedIn,
    id: String,
    /// The page of Ada's submission.
    page: String,
}

impl ReviewSite {
    async fn new() -> ReviewSite {
        let site = Site::new().await;
        let ada = site.join("Ada", Role::Student).await;
        let bob = site.join("Bob", Role::Student).await;
        let olga = site.join("Olga", Role::Observer).await;
        let alan = site.join("Alan", Role::Assistant).await;
        let tess = site.join("Tess", Role::Instructor).await;
        let id = site.result_of(&ada, 6).await;
        let page = format!("/submissions/{id}");
        ReviewSite { site, ada, bob, olga, alan, tess, id, page }
    }

    async fn read(&self, who: &SignedIn, address: &str) -> String {
        let reply = self.site.get(Some(who), address).await;
        assert_eq!(reply.status, StatusCode::OK, "{address}: {}", reply.text());
        reply.text()
    }

    async fn ask(&self, who: &SignedIn, text: &str) -> PageReply {
        let form = format!("text={}", encoded(text));
        self.site.post(Some(who), &format!("{}/reviews", self.page), &form).await
    }

    /// The address of the form that answers the open request.
    async fn answer_form(&self) -> String {
        let page = self.read(&self.alan, &self.page).await;
        let (_, rest) = page.split_once(&format!("action=\"{}/reviews/", self.page)).expect(&page);
        format!("{}/reviews/{}", self.page, rest.split('"').next().unwrap())
    }

    async fn adjust(&self, who: &SignedIn, form: &str) -> PageReply {
        self.site.post(Some(who), &format!("{}/points", self.page), form).await
    }

    fn api(&self, part: &str) -> String {
        format!("/api/v1{}/{part}", self.page)
    }
}

/// A text as the value of a form.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte.is_ascii_alphanumeric() {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[tokio::test]
async fn a_request_gets_its_answer_on_the_page_of_the_submission() {
    let scene = ReviewSite::new().await;
    let ReviewSite { site, ada, alan, page, .. } = &scene;
    let form = format!("action=\"{page}/reviews\"");
    assert!(scene.read(ada, page).await.contains(&form));
    let asked = scene.ask(ada, "Round 2\nshould count.").await;
    assert_eq!(asked.leads_to(), format!("{page}#review"));
    let text = scene.read(ada, page).await;
    for told in ["Round 2\nshould count.", "Not answered yet.", "Ada asked on 20"] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert!(!text.contains(&form), "one request at a time: {text}");
    let again = scene.ask(ada, "And now?").await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    assert!(again.text().contains("open already"), "{}", again.text());

    let course = scene.read(alan, "/c/ai").await;
    assert!(course.contains("Open requests: 1") && course.contains("/c/ai/manage/reviews"));
    assert!(scene.read(alan, "/c/ai/manage").await.contains("Open requests: 1"));
    let list = scene.read(alan, "/c/ai/manage/reviews").await;
    assert!(list.contains(&format!("{page}#review")) && list.contains("Round 2 should count."));
    let answer = scene.answer_form().await;
    let done = site.post(Some(alan), &answer, "text=It+was+an+illegal+move.").await;
    assert_eq!(done.leads_to(), format!("{page}#review"));
    let late = site.post(Some(alan), &answer, "text=Once+more.").await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert!(late.text().contains("has answered in the meantime"), "{}", late.text());
    assert!(scene.read(alan, "/c/ai/manage/reviews").await.contains("No request is open."));

    let text = scene.read(ada, page).await;
    assert!(text.contains("Alan answered on 20") && text.contains("It was an illegal move."));
    assert!(text.contains(&form), "asking again is possible: {text}");
    for address in ["/c/ai", "/me"] {
        let notice = scene.read(ada, address).await;
        assert!(notice.contains("Your request for a review has an answer: bot.wasm, Short."));
        assert!(notice.contains(&format!("href=\"{page}#review\"")), "{notice}");
        assert!(!scene.read(&scene.bob, address).await.contains("has an answer"));
    }
    let log = ask(site, &scene.tess, "/api/v1/courses/ai/log").await;
    assert_eq!((&log[0]["act"], &log[0]["by_name"]), (&json!("review_answered"), &json!("Alan")));
    // In the other language.
    site.post(Some(ada), "/me/language", "language=zh").await.leads_to();
    let text = scene.read(ada, page).await;
    assert!(text.contains("申请复核") && text.contains("Alan 于 20"), "{text}");
}

#[tokio::test]
async fn each_role_can_do_only_its_part_of_a_review() {
    let scene = ReviewSite::new().await;
    let ReviewSite { site, ada, bob, olga, alan, tess, page, .. } = &scene;
    scene.ask(ada, "Why?").await.leads_to();
    let answer = scene.answer_form().await;
    let api_answer = format!("/api/v1{answer}");
    let points = "points=9&reason=because";
    let json_points = json!({"points": 9, "reason": "because"});
    for (who, asks, answers, adjusts) in [
        (bob, NOT_FOUND, NOT_FOUND, NOT_FOUND),
        (olga, NOT_FOUND, NOT_FOUND, NOT_FOUND),
        (ada, StatusCode::CONFLICT, FORBIDDEN, FORBIDDEN),
        (alan, FORBIDDEN, StatusCode::SEE_OTHER, FORBIDDEN),
        (tess, FORBIDDEN, StatusCode::CONFLICT, StatusCode::SEE_OTHER),
    ] {
        let name = &who.person.name;
        let text = json!({"text": "Why?"});
        assert_eq!(tell(site, who, &scene.api("reviews"), &text).await.0, asks, "{name}");
        assert_eq!(scene.ask(who, "Why?").await.status, asks, "{name}");
        // Each address once: the second answer is refused for another reason.
        if answers != StatusCode::SEE_OTHER {
            assert_eq!(tell(site, who, &api_answer, &text).await.0, answers, "{name}");
        }
        assert_eq!(site.post(Some(who), &answer, "text=So.").await.status, answers, "{name}");
        if adjusts != StatusCode::SEE_OTHER {
            let told = tell(site, who, &scene.api("adjustments"), &json_points).await;
            assert_eq!(told.0, adjusts, "{name}");
        }
        assert_eq!(scene.adjust(who, points).await.status, adjusts, "{name}");
    }
    for (who, sees, list) in [
        (bob, NOT_FOUND, NOT_FOUND),
        (olga, NOT_FOUND, NOT_FOUND),
        (ada, StatusCode::OK, NOT_FOUND),
        (alan, StatusCode::OK, StatusCode::OK),
        (tess, StatusCode::OK, StatusCode::OK),
    ] {
        let name = &who.person.name;
        for address in [page.clone(), scene.api("reviews"), scene.api("adjustments")] {
            let reply = match address.starts_with("/api") {
                true => site.api(who, &address).await,
                false => site.get(Some(who), &address).await,
            };
            assert_eq!(reply.status, sees, "{address}: {name}");
        }
        assert_eq!(site.get(Some(who), "/c/ai/manage/reviews").await.status, list, "{name}");
        assert_eq!(site.api(who, "/api/v1/courses/ai/reviews").await.status, list, "{name}");
    }
    for address in [format!("{page}/reviews"), format!("{page}/points"), answer] {
        let stranger = site.post(None, &address, "text=x&points=1&reason=x").await;
        assert_eq!(stranger.status, StatusCode::UNAUTHORIZED, "{address}");
    }
    // Forms are only for those who may send them.
    let forms = async |who: &SignedIn| {
        let text = scene.read(who, page).await;
        ["/reviews\"", "/answer\"", "/points\""].map(|end| text.contains(&format!("{end} class")))
    };
    assert_eq!(forms(ada).await, [true, false, false]);
    assert_eq!(forms(alan).await, [false, false, false]);
    assert_eq!(forms(tess).await, [false, false, true]);
    scene.ask(ada, "And now?").await.leads_to();
    assert_eq!(forms(alan).await, [false, true, false]);
    assert_eq!(forms(tess).await, [false, true, true]);
}

#[tokio::test]
async fn adjusted_points_are_shown_next_to_the_result_and_count() {
    let scene = ReviewSite::new().await;
    let ReviewSite { site, ada, bob, alan, tess, id, page, .. } = &scene;
    let report = site.api(ada, &scene.api("report")).await.text();
    let done = scene.adjust(tess, "points=8.5&reason=The+testcase%0D%0Awas+wrong.").await;
    assert_eq!(done.leads_to(), format!("{page}#review"));
    let text = scene.read(ada, page).await;
    assert!(text.contains("<b>8.5</b> points that count, adjusted by hand"), "{text}");
    assert!(text.contains("<b>6</b> of 20 points"), "the result stays: {text}");
    assert!(text.contains("<b>8.5 points</b>") && text.contains("Tess, 20"), "{text}");
    assert!(text.contains("The testcase\nwas wrong."), "{text}");
    assert!(scene.read(alan, page).await.contains("<b>8.5 instead of 6</b>"));
    assert_eq!(site.api(ada, &scene.api("report")).await.text(), report, "so does the report");
    let told = ask(site, ada, &format!("/api/v1{page}")).await;
    assert_eq!((&told["points"], &told["adjusted"]), (&json!(8.5), &json!(true)));

    let board = "/c/ai/s/mahjong/scoreboard";
    for who in [ada, tess] {
        let text = scene.read(who, board).await;
        assert!(text.contains("<b>8.5</b>/20") && text.contains("Points adjusted."), "{text}");
    }
    let text = scene.read(bob, board).await;
    assert!(text.contains("<b>8.5</b>/20") && !text.contains("adjusted"), "{text}");
    let text = scene.read(ada, "/c/ai/s/mahjong").await;
    assert!(text.contains("8.5/20 <span class=\"note\">adjusted</span>"), "{text}");
    assert!(scene.read(ada, "/c/ai").await.contains("The points of a submission were adjusted"));
    let marks = scene.read(tess, "/c/ai/manage/s/mahjong/marks.csv").await;
    assert!(marks.contains(&format!("Ada,,{id},8.5,20,1,")), "{marks}");
    let whole = scene.read(tess, "/c/ai/manage/s/mahjong/whole-marks.csv").await;
    assert!(whole.lines().next().unwrap().ends_with(",adjusted_points,adjusted_because"));
    assert!(whole.contains(",8.5,20,") && whole.contains(",8.5,The testcase was wrong."));
    let feed = site.api(ada, "/api/v1/feed.atom").await.text();
    assert!(feed.contains("8.5 of 20 points."), "{feed}");
    let list = scene.read(alan, "/c/ai/manage/reviews").await;
    assert!(list.contains("8.5 instead of 6") && list.contains(&format!("{page}#points")));
    let rejudge = scene.read(tess, "/c/ai/manage/s/mahjong/rejudge?which=all").await;
    assert!(rejudge.contains("Submissions with adjusted points: 1."), "{rejudge}");

    let (store, now) = (site.app.store(), Timestamp::now());
    let suite = site.suite().await.id;
    let generation = store.rejudge(&suite, &Scope::All, Showing::Complete, now).await.unwrap();
    let submission = store.submission(&id.parse().unwrap()).await.unwrap().unwrap();
    let report = crate::made::report(&submission.module, 7, 1);
    store.write_result(&submission, generation, &report, now).await.unwrap();
    for address in [page.as_str(), "/c/ai/manage/reviews"] {
        let text = scene.read(tess, address).await;
        assert!(text.contains("Made before the latest grading."), "{address}: {text}");
    }
    let text = scene.read(ada, page).await;
    assert!(
        text.contains("<b>7</b> of 20 points") && text.contains("<b>8.5</b> points that count")
    );

    scene.adjust(tess, "points=&reason=It+is+right+now.&back=yes").await.leads_to();
    let text = scene.read(ada, page).await;
    assert!(text.contains("The graded points count again"), "{text}");
    assert!(!text.contains("points that count, adjusted"), "{text}");
    assert!(!text.contains("Made before the latest grading."), "{text}");
    assert!(scene.read(ada, board).await.contains("<b>7</b>/20"));
    let again = scene.adjust(tess, "points=&reason=x&back=yes").await;
    assert_eq!(again.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn refused_forms_keep_what_was_typed() {
    let scene = ReviewSite::new().await;
    let ReviewSite { ada, tess, .. } = &scene;
    for (form, why) in [
        ("points=many&reason=my+reason", "Write points as a number"),
        ("points=&reason=my+reason", "Write points as a number"),
        ("points=-1&reason=my+reason", "Write points as a number"),
        ("points=1e3&reason=my+reason", "Write points as a number"),
        ("points=40.001&reason=my+reason", "at most 40 points"),
    ] {
        let reply = scene.adjust(tess, form).await;
        let text = reply.text();
        assert!(reply.status.is_client_error(), "{form}");
        assert!(text.contains(why) && text.contains("my reason</textarea>"), "{form}: {text}");
    }
    let empty = scene.adjust(tess, "points=9&reason=+").await;
    assert_eq!(empty.status, StatusCode::BAD_REQUEST);
    assert!(empty.text().contains("Write a text.") && empty.text().contains("value=\"9\""));
    assert_eq!(scene.adjust(tess, "points=9").await.status, StatusCode::BAD_REQUEST);
    let long = "too long ".repeat(300);
    let reply = scene.ask(ada, &long).await;
    assert_eq!(reply.status, StatusCode::CONFLICT);
    assert!(reply.text().contains("at most 2000 characters") && reply.text().contains(&long));
    assert_eq!(scene.ask(ada, " \r\n ").await.status, StatusCode::BAD_REQUEST);
    let page = scene.read(ada, &scene.page).await;
    assert!(page.contains("Request a review") && !page.contains("asked on"), "{page}");
}

#[tokio::test]
async fn hostile_texts_are_escaped_and_large_ones_are_refused() {
    let scene = ReviewSite::new().await;
    let ReviewSite { site, ada, tess, page, .. } = &scene;
    let large = "x".repeat(1 << 20);
    let reply = scene.ask(ada, &large).await;
    assert_eq!(reply.status, StatusCode::PAYLOAD_TOO_LARGE);
    let (status, told) = tell(site, ada, &scene.api("reviews"), &json!({"text": large})).await;
    assert_eq!((status, &told["error"]), (StatusCode::CONFLICT, &json!("review_long")));
    let points = json!({"points": 1, "reason": large});
    let (status, _) = tell(site, tess, &scene.api("adjustments"), &points).await;
    assert_eq!(status, StatusCode::CONFLICT);

    let attack = "</textarea><script>alert(1)</script>\" onerror=\"x\0\u{1b}[2J\u{202e}=1+1";
    scene.ask(ada, attack).await.leads_to();
    let answer = scene.answer_form().await;
    site.post(Some(tess), &answer, &format!("text={}", encoded(attack))).await.leads_to();
    let reason = format!("points=9&reason={}", encoded(attack));
    scene.adjust(tess, &reason).await.leads_to();
    scene.ask(ada, attack).await.leads_to();
    let bad = scene.adjust(tess, &format!("points=x&reason={}", encoded(attack))).await.text();
    let mut texts = vec![bad];
    for (who, address) in [
        (ada, page.as_str()),
        (tess, page.as_str()),
        (tess, "/c/ai/manage/reviews"),
        (ada, "/c/ai"),
        (ada, "/me"),
    ] {
        texts.push(scene.read(who, address).await);
    }
    for text in &texts {
        for markup in ["<script>", "\" onerror"] {
            assert!(!text.contains(markup), "{markup}: {text}");
        }
    }
    // The refused form has the text as it was typed.
    for text in &texts[1..] {
        assert!(!text.contains(['\0', '\u{1b}', '\u{202e}']), "{text}");
    }
    let escaped = "&#60;/textarea&#62;&#60;script&#62;alert(1)";
    assert!(texts[1].contains(escaped) && texts[1].contains("\\u{0}\\u{1b}[2J\\u{202e}"));
    let sheet = "/c/ai/manage/s/mahjong/whole-marks.csv";
    scene.adjust(tess, "points=9&reason=%3D1%2B1").await.leads_to();
    assert!(scene.read(tess, sheet).await.contains(",9,'=1+1\n"));
    for id in ["x", "../../etc", "%00", "aaaaaaaaaaaaaaaa"] {
        let address = format!("{page}/reviews/{id}/answer");
        let reply = site.post(Some(tess), &address, "text=x").await;
        assert_eq!(reply.status, NOT_FOUND, "{id}");
    }
}

#[tokio::test]
async fn the_api_does_what_the_pages_do() {
    let scene = ReviewSite::new().await;
    let ReviewSite { site, ada, alan, tess, id, .. } = &scene;
    let (reviews, adjustments) = (scene.api("reviews"), scene.api("adjustments"));
    assert_eq!(ask(site, ada, &reviews).await, json!([]));
    let (status, made) = tell(site, ada, &reviews, &json!({"text": "Why?"})).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    assert_eq!((&made[0]["asked_by"], &made[0]["answer"]), (&json!("Ada"), &Value::Null));
    let open = ask(site, alan, "/api/v1/courses/ai/reviews").await;
    assert_eq!((&open[0]["suite"], &open[0]["file"]), (&json!("Short"), &json!("bot.wasm")));
    assert_eq!(open[0]["review"]["submission"], id.as_str());
    let answer = format!("{reviews}/{}/answer", made[0]["id"].as_str().unwrap());
    let (status, told) = tell(site, alan, &answer, &json!({"text": "So."})).await;
    assert_eq!((status, &told[0]["answered_by"]), (StatusCode::OK, &json!("Alan")), "{told}");
    assert_eq!(ask(site, alan, "/api/v1/courses/ai/reviews").await, json!([]));

    let (status, told) =
        tell(site, tess, &adjustments, &json!({"points": 8.5, "reason": "r"})).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    assert_eq!((&told[0]["points"], &told[0]["graded"]), (&json!(8.5), &json!(6.0)));
    let own = ask(site, ada, &adjustments).await;
    assert_eq!((&own[0]["points"], &own[0]["graded"]), (&json!(8.5), &Value::Null));
    for body in [
        json!({"reason": "r"}),
        json!({"points": "8.5", "reason": "r"}),
        json!({"points": -1, "reason": "r"}),
        json!({"points": 0.0001, "reason": "r"}),
        json!({"points": 1e300, "reason": "r"}),
        json!({"points": 1, "reason": "r", "more": 1}),
        json!({"points": 1, "reason": ""}),
    ] {
        let (status, told) = tell(site, tess, &adjustments, &body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}: {told}");
    }
    let (status, told) =
        tell(site, tess, &adjustments, &json!({"points": null, "reason": "r"})).await;
    assert_eq!((status, &told[0]["takes_back"]), (StatusCode::OK, &json!(true)), "{told}");
    assert_eq!(ask(site, ada, &format!("/api/v1/submissions/{id}")).await["adjusted"], false);
}

#[tokio::test]
async fn adjusted_points_do_not_reveal_hidden_testcases() {
    let scene = ReviewSite::new().await;
    let ReviewSite { site, ada, tess, .. } = &scene;
    let id = site.result_of(ada, 13).await;
    let page = format!("/submissions/{id}");
    let due_at = Some(Timestamp::now().after(std::time::Duration::from_secs(3600)));
    let hidden_shown = HiddenShown::AfterDue;
    site.set(SuiteSettings { due_at, hidden_shown, ..SuiteSettings::default() }).await;
    let form = "points=14.25&reason=One+more.";
    site.post(Some(tess), &format!("{page}/points"), form).await.leads_to();
    for address in [&page, "/c/ai", "/c/ai/s/mahjong", "/c/ai/s/mahjong/scoreboard", "/me"] {
        let text = scene.read(ada, address).await;
        assert!(!text.contains("14.25"), "{address}: {text}");
    }
    let text = scene.read(ada, &page).await;
    assert!(text.contains("The points are shown with those of hidden testcases."), "{text}");
    assert!(text.contains("One more.") && text.contains("<b>10</b> of 10 points"), "{text}");
    let told = ask(site, ada, &format!("/api/v1{page}/adjustments")).await;
    assert_eq!((&told[0]["points"], &told[0]["takes_back"]), (&Value::Null, &json!(false)));
    let data = unpacked(&site.get(Some(ada), "/me/data.zip").await);
    for (name, bytes) in data {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains("14.25"), "{name}: {text}");
        assert!(name != "account.json" || text.contains("One more."), "{text}");
    }
    assert!(scene.read(tess, &page).await.contains("14.25 instead of 13"));
    // Of a result that is shown later, its author sees nothing.
    site.set(SuiteSettings { shown_per_day: Some(1), ..SuiteSettings::default() }).await;
    let text = scene.read(ada, &page).await;
    assert!(!text.contains("One more.") && !text.contains("14.25"), "{text}");
    assert!(!text.contains("Request a review"), "{text}");
    assert_eq!(ask(site, ada, &format!("/api/v1{page}/adjustments")).await, json!([]));
    let asked = site.post(Some(ada), &format!("{page}/reviews"), "text=Why").await;
    assert_eq!(asked.status, StatusCode::CONFLICT);
    site.set(SuiteSettings::default()).await;
    assert!(scene.read(ada, &page).await.contains("<b>14.25</b> points that count"));
}

#[tokio::test]
async fn a_group_sees_the_request_of_a_member() {
    let scene = ReviewSite::new().await;
    let ReviewSite { site, ada, bob, alan, .. } = &scene;
    site.set(SuiteSettings { by_groups: true, ..SuiteSettings::default() }).await;
    let red =
        |who: &SignedIn| GroupMove { person: who.person.id.clone(), group: Some("Red".into()) };
    let (store, now) = (site.app.store(), Timestamp::now());
    store.set_groups(&site.course.id, &[red(ada), red(bob)], now).await.unwrap();
    let eve = site.join("Eve", Role::Student).await;
    let page = format!("/submissions/{}", site.result_of(ada, 9).await);
    let address = format!("{page}/reviews");
    site.post(Some(bob), &address, "text=Our+question").await.leads_to();
    for who in [ada, bob, alan] {
        let text = scene.read(who, &page).await;
        assert!(text.contains("Our question") && text.contains("Bob asked on"), "{text}");
    }
    assert_eq!(site.post(Some(ada), &address, "text=x").await.status, StatusCode::CONFLICT);
    assert_eq!(site.get(Some(&eve), &page).await.status, NOT_FOUND);
    assert_eq!(site.post(Some(&eve), &address, "text=x").await.status, NOT_FOUND);
}
