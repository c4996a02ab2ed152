//! Tests of pages, with made-up rounds, some of them hostile.

use judge_core::{
    Call, Fault, Fingerprint, Limits, Options, REPLAY_VERSION, RecordHeader, RecordTrailer,
    RoundRecord, RoundResult, RoundSpec, Seat, SeatSpec, Seed, Verdict, digest,
};

use super::{Links, PageLanguage, RoundPage, RoundSteps, round_script};

const ATTACK: &str = "</script><script>alert(1)</script>\u{202e}\u{1b}'\"&<b>";

/// The attack text as escaped in HTML.
const TAMED: &str = "&#60;/script&#62;&#60;script&#62;alert(1)&#60;/script&#62;\\u{202e}\\u{1b}\
                     &#39;&#34;&#38;&#60;b&#62;";

/// Returns a round with one move, in which every untrusted text is `text`.
fn record(text: &str) -> RoundRecord {
    let outcome = RoundResult { scores: [0, 7], winner: Some(Seat::Two), reason: text.to_owned() };
    let fault = Fault {
        seat: Some(Seat::One),
        verdict: Verdict::ProtocolError,
        detail: text.into(),
        call: Some(1),
    };
    let mut trailer = RecordTrailer::new(outcome, Some(fault));
    trailer.logs[Seat::One] = format!("{text}\nsecond line");
    trailer.log_dropped[Seat::One] = 5;
    let bot = SeatSpec::Bot { name: text.to_owned(), sha256: digest(b"module") };
    let options = Options::from([(text.to_owned(), text.to_owned())]);
    let person = SeatSpec::Human { name: text.to_owned() };
    let (seats, limits) = ([bot, person], Limits::COURSE);
    let spec = RoundSpec { game: "cc".to_owned(), options, seed: Seed(7), seats, limits };
    let fingerprint = Fingerprint { judge: text.to_owned(), engine: text.to_owned() };
    let call = |line: &str, answer: Option<&str>, fuel| Call {
        seat: Seat::One,
        line: line.to_owned(),
        answer: answer.map(str::to_owned),
        fuel: Some(fuel),
    };
    RoundRecord {
        header: RecordHeader { replay: REPLAY_VERSION, spec, fingerprint },
        calls: vec![call(&format!("game {text}"), None, 9), call(text, Some(text), 1_500_000)],
        trailer,
    }
}

fn pictures(text: &str) -> [String; 3] {
    let picture =
        |view| format!("<svg>\n<style>\n.j{{}}\n</style>\n<text>{text}{view}</text>\n</svg>");
    [picture(""), picture(" by 1"), picture("")]
}

fn page(record: &RoundRecord, trouble: Option<&str>) -> String {
    round(record, trouble).to_html()
}

fn round<'a>(record: &'a RoundRecord, trouble: Option<&'a str>) -> RoundPage<'a> {
    let mut steps = RoundSteps::default();
    for call in &record.calls {
        if call.answer.is_some() {
            steps.question(&pictures("board"));
        }
        steps.call(call.clone());
    }
    let (digest, verify) = (record.digest(), "judge verify round.jsonl");
    let endings = &[("plain", "it ended plainly"), ("other", "never")];
    RoundPage {
        title: "A game",
        record,
        digest,
        steps,
        verify: Some(verify),
        trouble,
        endings,
        beside: None,
        moves: None,
        remark: None,
    }
}

#[test]
fn a_linked_page_is_the_same_with_nothing_inline() {
    let record = record("plain");
    let (styles, script) = (vec!["/a.css".to_owned(), "/b.css".to_owned()], "/c.js".to_owned());
    let linked = round(&record, None).to_linked_html(Links { styles, script, ..Links::default() });
    let links =
        "<link rel=\"stylesheet\" href=\"/a.css\"><link rel=\"stylesheet\" href=\"/b.css\">";
    assert!(linked.contains(links) && linked.contains("<script src=\"/c.js\"></script>"));
    for inline in ["<style", "style=", "<script>", "http-equiv"] {
        assert!(!linked.contains(inline), "{inline}: {linked}");
    }
    // The script in the page is data, and everything between head and script must equal the inline
    // page.
    let body = |page: &str| {
        let (_, rest) = page.split_once("<body>").expect("a body");
        rest.rsplit_once("<script").expect("a script").0.to_owned()
    };
    assert_eq!(body(&linked).replace(" id=\"main\"", ""), body(&page(&record, None)));
    assert!(round(&record, None).picture_style().contains(".j{}"));
}

#[test]
fn log_output_is_shown_with_its_call() {
    let mut record = record("plain");
    assert!(!page(&record, None).contains("\"log\":"), "unknown in older files");
    record.trailer.log_parts[Seat::One] = Some(vec![(1, 6).into()]);
    let html = page(&record, None);
    let line = r#""answer":"plain","cost":"1.500 ms (0.03 %)","log":"d line","failed":true}"#;
    assert!(html.contains(line), "{html}");
    assert_eq!(html.matches("\"log\":").count(), 1, "only where something was logged");
    assert!(html.contains("plain\nsecond line</pre>"), "the whole log as ever");
    assert!(html.contains("Each step also shows the part that its calls wrote"));
    assert!(!html.contains("does not show which call wrote what"));
}

#[test]
fn log_output_is_escaped() {
    let mut record = record(ATTACK);
    let bytes = record.trailer.logs[Seat::One].len();
    record.trailer.log_parts[Seat::One] = Some(vec![(1, bytes as u32).into()]);
    let html = page(&record, None);
    assert!(html.contains(r#""log":"\u003c/script\u003e\u003cscript\u003ealert(1)"#), "{html}");
    assert!(!html.contains("<script>alert") && !html.contains('\u{202e}'), "{html}");
}

#[test]
fn a_page_needs_no_other_file() {
    let record = record("plain");
    let html = page(&record, None);
    let digest = record.digest().to_string();
    let expected = [
        "<h1>A game <small>seed 7</small></h1>",
        "Protocol error",
        "seat 2 wins (plain)",
        "seat 1 (plain) at line 2 of the protocol: plain",
        "At fault: the bot in seat 1.",
        "plain\nsecond line</pre>",
        "5 more bytes were dropped",
        "it does not show which call wrote what",
        "1.500 ms (0.03 %)",
        "Most expensive call: <button",
        "<code>judge verify round.jsonl</code>",
        "<dt>Options</dt><dd>plain=plain</dd>",
        "<dt>“plain”</dt><dd>it ended plainly</dd>",
        "<button id=\"to-fault\" class=\"link\" type=\"button\" data-step=\"1\">",
        "seat 2</span>, person, winner",
        digest.as_str(),
        "class=\"failed\"",
        ".j{}",
    ];
    for text in expected {
        assert!(html.contains(text), "{text} in {html}");
    }
    assert!(!html.contains("role=\"alert\""), "nothing is wrong with the file");
}

#[test]
fn texts_from_outside_are_escaped() {
    let html = page(&record(ATTACK), Some(ATTACK));
    assert_eq!(html.matches("<script").count(), 2, "the data and the page's own script");
    assert_eq!(html.matches("</script").count(), 2);
    let (body, data) = html.split_once("id=\"round\">").expect("the data");
    // Title, heading of the log, name, fault, blame, options, versions, trouble, list…
    assert!(body.matches(TAMED).count() > 12, "{}", body.matches(TAMED).count());
    assert!(!body.contains("alert(1)<") && !html.contains(['\u{202e}', '\u{1b}']));
    let (json, _) = data.split_once("</script>").expect("its end");
    assert!(!json.contains(['<', '>', '&']), "{json}");
    let data: serde_json::Value = serde_json::from_str(json).expect("JSON");
    let answer = &data["steps"][1]["calls"][0]["answer"];
    assert_eq!(answer, &ATTACK.replace('\u{202e}', "\\u{202e}").replace('\u{1b}', "\\u{1b}"));
    assert_eq!(data["steps"][1]["calls"][0]["failed"], true);
    assert_eq!(data["steps"][0]["calls"][0].get("failed"), None);
}

#[test]
fn the_page_of_a_changed_file_starts_with_a_warning() {
    let html = page(&record("plain"), Some("line 3: changed"));
    let alert = html.find("role=\"alert\"").expect("an alert");
    assert!(html[alert..].contains("line 3: changed") && alert < html.find("<main").unwrap_or(0));
}

#[test]
fn a_page_loads_nothing_from_other_sites() {
    // A link to a step stays within the page.
    let html = page(&record("plain"), None).replace("href=\"#", "");
    for reference in ["src=", "href=", "url(", "@import", "http:", "https:", "style=\"", "onclick"]
    {
        assert_eq!(html.matches(reference).count(), 0, "{reference}");
    }
}

#[test]
fn a_reader_can_only_choose_views_that_show_less() {
    let html = page(&record("plain"), None);
    assert_eq!(html.matches("name=\"view\"").count(), 2, "everything and seat 1");
    assert!(html.contains("<span>Seat 1</span>") && !html.contains("<span>Seat 2</span>"));
}

#[test]
fn a_round_without_calls_has_a_page() {
    let mut record = record("plain");
    record.calls.clear();
    record.trailer.fault = Some(Fault::judge("the worker ended"));
    let html = page(&record, None);
    assert!(html.contains("The start") && html.contains("The end: "));
    assert!(!html.contains("Go to the fault"), "no step to show");
    assert!(html.contains("At fault: the judge; it counts against neither player."));
    assert!(!html.contains("Most expensive call"), "nothing was counted");
}

/// Removes the parts between `open` and `close`, which may be nested.
fn outside(text: &str, open: char, close: char) -> String {
    let mut depth = 0_u32;
    let mut kept = String::new();
    for one in text.chars() {
        match one {
            one if one == open => depth += 1,
            one if one == close => depth -= 1,
            one if depth == 0 => kept.push(one),
            _ => {}
        }
    }
    kept
}

#[test]
fn a_linked_page_has_only_texts_of_its_language() {
    let language = PageLanguage { code: "zh", tell: |text| format!("⟦{text}⟧") };
    let head = "<nav>somewhere</nav>".to_owned();
    let record = record("plain");
    let html = round(&record, None).to_linked_html(Links { language, head, ..Links::default() });
    assert!(html.contains("<html lang=\"zh\">") && html.contains("<body>\n<nav>somewhere</nav>"));
    assert!(html.contains("\"cost\":\"⟦seat 1⟧: 1.500 ms"), "{html}");
    let (_, body) = html.split_once("</nav>").expect("a head");
    let (body, _) = body.split_once("<script").expect("data");
    for attribute in ["aria-label=\"", "title=\""] {
        let untold = body.split(attribute).skip(1).filter(|rest| !rest.starts_with('⟦'));
        assert_eq!(untold.collect::<Vec<_>>(), [""; 0], "{attribute}");
    }
    let text = outside(&outside(body, '⟦', '⟧').replace("&#34;", ""), '<', '>');
    // Names, answers, logs, quoted commands, hashes, keys and units are not translated.
    let neutral = [
        "plain", "second", "line", "A", "game", "it", "ended", "plainly", "ms", "KiB", "board",
        "nbsp",
    ];
    let command = ["judge", "verify", "round", "jsonl", "Home", "End"];
    let words = text.split(|one: char| !one.is_alphanumeric()).filter(|word| {
        let is_text = !word.is_empty() && word.chars().all(char::is_alphabetic);
        is_text && !neutral.contains(word) && !command.contains(word)
    });
    assert_eq!(words.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn scripts_of_all_languages_differ_only_in_texts() {
    assert_eq!(round_script(PageLanguage::default()), include_str!("round.js"));
    let language = PageLanguage { code: "zh", tell: |_| "词".to_owned() };
    let script = round_script(language);
    let own = ["\"词\"", "?? \"词\"", "词 → ${call.seat}", "→ 词`", "} 词`"];
    for text in own {
        assert!(script.contains(text), "{text}");
    }
    for text in ["Nothing was", "no cost", "\"Play\"", "\"Pause\"", " logged", "judge →", "→ judge"]
    {
        assert!(!script.contains(text), "{text}");
    }
    let code = |text: &str| text.matches(['`', '"', '{', '}', '(', ')']).count();
    assert_eq!(code(&script), code(include_str!("round.js")));
}
